import { parseArgs } from 'node:util';
import { lastOperatorCall } from '@florin/local/operator-call';
import { lastPlatformUrls } from '@florin/local/urls';
import { PARTNER_SCOPES } from '@florin/proto/events/v1/scopes';
import { processEnvironment } from '@florin/rpc/config';
import { ROOT } from '../support/settings.ts';
import { playStory } from './play-story.ts';

/**
 * `npm run demo [-- --url http://host:port] [--events]`: plays the whole story with a new wallet against a running platform in sandbox mode, by
 * default the one that was started last in this checkout. With --events it shows the events of the story beside it, and proves at the end that none is missing;
 * on the platform of this checkout it also receives them by webhooks, with an endpoint that it creates with the operator's key. On one that was started with `CHAIN=local` the
 * account's Safe is on that chain.
 */
const USAGE = 'usage: npm run demo [-- --url http://host:port] [--events]\n';

const readArguments = (): { url?: string | undefined; events?: boolean | undefined; help?: boolean | undefined } | undefined => {
  try {
    return parseArgs({ options: { url: { type: 'string' }, events: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } }).values;
  } catch {
    return undefined;
  }
};

const given = readArguments();
if (given === undefined || given.help === true) {
  (given === undefined ? process.stderr : process.stdout).write(USAGE);
  process.exit(given === undefined ? 2 : 0);
}
const env = processEnvironment();
const last = lastPlatformUrls(env, ROOT);
const url = given.url ?? last.gateway;
const chainNode = given.url === undefined ? last.chainNode : undefined;

try {
  const events = given.events === true;
  const webhooks = events && given.url === undefined ? { call: lastOperatorCall(env, ROOT, 'events', PARTNER_SCOPES) } : undefined;
  await playStory(url, (line) => process.stdout.write(`${line}\n`), { events, webhooks, chainNode });
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  const cause = error instanceof TypeError && error.cause instanceof Error ? error.cause.message : undefined;
  const hint = cause !== undefined ? ` (${cause}). Start the platform with \`npm start\`, or give its address with --url.` : '';
  process.stderr.write(`\nThe demo failed: ${reason}${hint}\n`);
  process.exitCode = 1;
}
