import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import { saveReserves } from '@florin/evm/reserves/save';
import { CHAIN_SCOPES } from '@florin/proto/chain/v1/scopes';
import { readConfig } from './config.ts';
import { processEnvironment } from './environment.ts';
import { createOperatorCall } from './operator-call.ts';
import { readPlatformUrls } from './platform-urls.ts';
import { ROOT_DIR, runMain } from './run-main.ts';

const USAGE = `usage: npm run chain -- <command>
  resolve --chain ID --from-block N --reason TEXT [--actor NAME] [--yes]
  reserves [--chain ID] [--url GATEWAY] FILE
  faucet ADDRESS [--token SYMBOL] [--amount UNITS]
resolve lets a halted chain go on; without --yes it only prints what it would do. reserves saves the newest proof of reserves.
faucet pays tokens of the chain of \`CHAIN=local\`, 100 EURe by default, or its coin (--token COIN).`;

/** Fields are left out when they have their default value. */
type Transfer = { accountId: string; blockNumber: string; txHash: string; direction: string; token: string; amount: string };
type Resolution = { resumeBlock?: string; resumeHash: string; kept?: number; vanished?: readonly Transfer[]; resumed?: boolean };

const lineOf = ({ accountId, blockNumber, txHash, direction, token, amount }: Transfer): string => {
  const isIn = direction === 'TRANSFER_DIRECTION_IN';
  const done = isIn ? 'its deposit is taken back' : 'it stays booked; an exception is opened, credit it by an adjustment';
  return `  ${isIn ? 'in ' : 'out'} ${amount} ${token} of account ${accountId}, block ${blockNumber}, ${txHash}: ${done}`;
};

const CHAIN_ID = /^[1-9]\d{0,9}$/;

const readArgs = () =>
  parseArgs({
    options: {
      chain: { type: 'string' },
      'from-block': { type: 'string' },
      reason: { type: 'string' },
      actor: { type: 'string', default: userInfo().username },
      yes: { type: 'boolean', default: false },
      url: { type: 'string' },
      token: { type: 'string', default: 'EURe' },
      amount: { type: 'string', default: '100' },
      'data-dir': { type: 'string' },
    },
    allowPositionals: true,
  });

type Values = ReturnType<typeof readArgs>['values'];

/** @returns undefined when the order is not understood */
const orderOf = ({ chain = '', 'from-block': fromBlock = '', reason = '', actor, yes }: Values) =>
  CHAIN_ID.test(chain) && /^\d{1,15}$/.test(fromBlock) && reason !== '' ? { chain, fromBlock, reason, actor, yes } : undefined;

/** Lets the watching of a halted chain go on from a block. */
const resolveHalt = async (dataDir: string, { chain, fromBlock, reason, actor, yes }: NonNullable<ReturnType<typeof orderOf>>) => {
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
};

/** Saves the newest proof of reserves of the running platform, or of the gateway at `--url`. */
const save = async (dataDir: string, { url, chain }: Values, path: string): Promise<void> => {
  const chainId = chain === undefined ? undefined : Number(chain);
  const saved = await saveReserves({ gatewayUrl: url ?? readPlatformUrls(dataDir).gateway, chainId }, path);
  process.stdout.write(
    `wrote ${path}: chain ${saved.chainId} after block ${saved.block}. Check it: npm run ledger -- check-reserves ${path}\n`,
  );
};

/** Has the faucet of the local chain pay. */
const payFrom = async (dataDir: string, { token, amount }: Values, address: string): Promise<void> => {
  const { chainNode } = readPlatformUrls(dataDir);
  if (chainNode === undefined) throw new Error('There is no local chain: start the platform with CHAIN=local.');
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'florin_faucet', params: [address, token, amount] });
  const response = await fetch(chainNode, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const { result, error } = (await response.json()) as { result?: string; error?: { message: string } };
  if (error !== undefined) throw new Error(error.message);
  process.stdout.write(`paid ${amount} ${token} to ${address}: transaction ${result}\n`);
};

/** `npm run chain -- <command>`. Exit code 0: done, or, without `--yes`, printed. 1: rejected. 2: not understood. */
const main = async (): Promise<number> => {
  const { values, positionals } = readArgs();
  const [command, file, ...more] = positionals;
  const dataDir = () => values['data-dir'] ?? readConfig(processEnvironment(), ROOT_DIR).dataDir;
  const order = command === 'resolve' && file === undefined ? orderOf(values) : undefined;
  if (order !== undefined) {
    await resolveHalt(dataDir(), order);
    return 0;
  }
  const isSaving = command === 'reserves' && file !== undefined && more.length === 0;
  if (isSaving && CHAIN_ID.test(values.chain ?? '1')) {
    await save(dataDir(), values, file);
    return 0;
  }
  if (command === 'faucet' && file !== undefined && more.length === 0) {
    await payFrom(dataDir(), values, file);
    return 0;
  }
  process.stderr.write(`${USAGE}\n`);
  return 2;
};

runMain(main);
