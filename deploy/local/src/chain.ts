import { userInfo } from 'node:os';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CHAIN_SCOPES } from '@florin/proto/chain/v1/scopes';
import { readConfig } from './config.ts';
import { processEnvironment } from './environment.ts';
import { createOperatorCall } from './operator-call.ts';
import { reasonOf } from './report.ts';

const USAGE = `usage: npm run chain -- resolve --chain ID --from-block N --reason TEXT [--actor NAME] [--yes]
Without --yes it only prints what it would do.`;

/** Fields are left out when they have their default value. */
type Transfer = { accountId: string; blockNumber: string; txHash: string; direction: string; token: string; amount: string };
type Resolution = { resumeBlock?: string; resumeHash: string; kept?: number; vanished?: readonly Transfer[]; resumed?: boolean };

const lineOf = ({ accountId, blockNumber, txHash, direction, token, amount }: Transfer): string => {
  const isIn = direction === 'TRANSFER_DIRECTION_IN';
  const done = isIn ? 'its deposit is taken back' : 'it stays booked; an exception is opened, credit it by an adjustment';
  return `  ${isIn ? 'in ' : 'out'} ${amount} ${token} of account ${accountId}, block ${blockNumber}, ${txHash}: ${done}`;
};

/**
 * `npm run chain -- resolve`: lets the watching of a halted chain go on from a block. Exit code 0: done, or, without `--yes`, printed. 1: rejected.
 * 2: not understood.
 */
const main = async (): Promise<number> => {
  const rootDir = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
  const { values, positionals } = parseArgs({
    options: {
      chain: { type: 'string' },
      'from-block': { type: 'string' },
      reason: { type: 'string' },
      actor: { type: 'string', default: userInfo().username },
      yes: { type: 'boolean', default: false },
      'data-dir': { type: 'string' },
    },
    allowPositionals: true,
  });
  const { chain = '', 'from-block': fromBlock = '', reason = '', actor, yes } = values;
  const isUnderstood = positionals.join(' ') === 'resolve' && /^[1-9]\d{0,9}$/.test(chain) && /^\d{1,15}$/.test(fromBlock) && reason !== '';
  if (!isUnderstood) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  const dataDir = values['data-dir'] ?? readConfig(processEnvironment(), rootDir).dataDir;
  const call = createOperatorCall(dataDir, 'chain', [CHAIN_SCOPES.writeWatches]);
  const order = { chainId: Number(chain), fromBlock, actor, reason, dryRun: !yes };
  const {
    resumeBlock = '0',
    resumeHash,
    kept = 0,
    vanished = [],
  } = await call<Resolution>('florin.chain.v1.WatchService/ResolveHalt', order);
  const lines = [
    `Blocks up to ${resumeBlock} (${resumeHash}) of chain ${chain} stay booked.`,
    `Recorded transfers after it: ${kept} on the chain again, which stay booked; ${vanished.length} vanished${vanished.length === 0 ? '.' : ':'}`,
    ...vanished.map(lineOf),
    yes
      ? `Done. Chain ${chain} is watched again from block ${BigInt(resumeBlock) + 1n}.`
      : 'Nothing was changed. Repeat with --yes to do it.',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  return 0;
};

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${reasonOf(error)}\n`);
    process.exitCode = 1;
  },
);
