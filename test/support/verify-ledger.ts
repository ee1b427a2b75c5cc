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

/** `npm run ledger -- verify --json` on these engines. */
export const verifyLedger = async ({ mongodbUri, redisUrl }: { mongodbUri: string; redisUrl: string }): Promise<LedgerReport> => {
  const env = { ...processEnvironment(), MONGODB_URI: mongodbUri, REDIS_URL: redisUrl };
  const args = [join(ROOT, 'services/ledger/src/cli/main.ts'), 'verify', '--json'];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return JSON.parse(output) as LedgerReport;
};
