import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { processEnvironment } from '@florin/rpc/config';
import { ROOT } from './settings.ts';

export type LedgerReport = {
  ok: boolean;
  blocks: number;
  entries: number;
  bad?: { block: string; problem: string };
  sums: Record<string, string>;
};

/** `npm run ledger -- verify --json` on these engines. @throws Error with its output when it ends without a result */
export const verifyLedger = async ({ mongodbUri, redisUrl }: { mongodbUri: string; redisUrl: string }): Promise<LedgerReport> => {
  const env = { ...processEnvironment(), MONGODB_URI: mongodbUri, REDIS_URL: redisUrl };
  const args = [join(ROOT, 'services/ledger/src/cli/main.ts'), 'verify', '--json'];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  if (output === '') throw new Error(`verify has no result: ${errors}`);
  return JSON.parse(output) as LedgerReport;
};
