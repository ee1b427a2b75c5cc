import { playStory } from './play-story.ts';

/** `npm run demo [-- --url http://host:port]`: plays the whole story against a running sandbox with a fresh wallet. */
const urlArgument = process.argv.indexOf('--url');
const url = urlArgument === -1 ? 'http://127.0.0.1:8080' : process.argv[urlArgument + 1];

try {
  if (url === undefined) throw new Error('--url needs an address');
  await playStory(url, (line) => process.stdout.write(`${line}\n`));
} catch (error) {
  const cause =
    error instanceof TypeError && error.cause instanceof Error ? ` (${error.cause.message}): is the platform running? npm start` : '';
  process.stderr.write(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}${cause}\n`);
  process.exitCode = 1;
}
