import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureKeys, runStep } from '@florin/local';
import { PARTNER_SCOPES } from '@florin/proto/events/v1/scopes';
import { serviceKeySchema, signServiceToken } from '@florin/rpc/auth';
import { ROOT } from './settings.ts';

const TIMEOUT_MS = 60_000;

/**
 * Registers a server of a partner before its platform is started, as an operator does.
 * @param granted scopes of its key
 * @returns a source of tokens that read the partner's events and manage its webhook endpoints
 */
export const registerPartnerServer = async (
  dataDir: string,
  partner: string,
  env: NodeJS.ProcessEnv,
  granted = PARTNER_SCOPES,
): Promise<() => Promise<string>> => {
  await ensureKeys(dataDir);
  const keyFile = join(dataDir, `${partner}-server.key.json`);
  const scopes = granted.flatMap((scope) => ['--scope', scope]);
  const args = ['add', `${partner}-server`, '--key', keyFile, ...scopes, '--partner', partner, '--data-dir', dataDir];
  const script = join(ROOT, 'deploy/local/src/client.ts');
  await runStep({ command: process.execPath, args: [script, ...args], cwd: ROOT, env, timeoutMs: TIMEOUT_MS });
  const key = serviceKeySchema.parse(JSON.parse(readFileSync(keyFile, 'utf8')));
  return () => signServiceToken({ key, audience: 'events', scopes: [...granted] });
};
