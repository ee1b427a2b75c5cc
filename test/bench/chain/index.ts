import { createJsonRpc } from '@florin/evm/chain';
import { processEnvironment } from '@florin/rpc/config';
import { pause } from '@florin/rpc/time';
import { pidOf } from '../on-platform.ts';
import { processorMicroseconds } from '../process-times.ts';
import { percentile, type Row, rowText } from '../row.ts';
import { addAccountRecords } from './more-accounts.ts';
import { type BenchSafe, type ChainStage, openChainStage } from './stage.ts';

const FEW_ACCOUNTS = 1000;
const BLOCKS = 10_000;
const WARM_UP_BLOCKS = 2000;
const TRANSFERS_PER_BLOCK = 10;
/** One in a hundred transfers is ours. */
const EVERY_NTH = 100;
/** Queries at the same time, as the service reads ahead. */
const READERS = 8;
/** Between two questions for what is booked, which the service answers beside its work. */
const LOOK_MS = 50;

const DEPOSITS = 200;
const DEPOSIT_SPACING_MS = 150;
/** Between two looks at a balance: the error of each measured time. */
const BALANCE_LOOK_MS = 10;
/** The service's default. */
const POLL_MS = 2000;

/** Accounts of the large ledger; fewer are for trying the bench. */
const ACCOUNTS = Number(processEnvironment()['BENCH_ACCOUNTS'] ?? 1_000_000);

/** Blocks a second at which headers and transfers are fetched, by the client of the service, without looking at them. */
const fetchBlocks = async ({ node, contract }: ChainStage, from: number, to: number): Promise<number> => {
  const call = createJsonRpc(node.url);
  const ask = (method: string, ...params: unknown[]) => call(method, params, AbortSignal.timeout(10_000));
  const topics = ['0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'];
  let next = from;
  const reader = async (): Promise<void> => {
    while (next <= to) {
      const number = next;
      next += 1;
      const { hash: blockHash } = (await ask('eth_getBlockByNumber', `0x${number.toString(16)}`, false)) as { hash: string };
      await ask('eth_getLogs', { blockHash, address: [contract], topics });
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: READERS }, reader));
  return ((to - from + 1) / (performance.now() - started)) * 1000;
};

type CaughtUp = { perSecond: number; from: number; to: number };

/** Adds blocks while the service is between two looks at the chain, and waits until they are booked. The time begins with the first that are. */
const catchUp = async ({ node, booked }: ChainStage, safes: readonly BenchSafe[], blocks: number): Promise<CaughtUp> => {
  const before = await booked();
  const addresses = safes.map(({ safe }) => safe);
  const to = await node.add({ blocks, transfers: TRANSFERS_PER_BLOCK, everyNth: EVERY_NTH, safes: addresses });
  let first = before;
  while (first === before) {
    await pause(LOOK_MS);
    first = await booked();
  }
  const started = performance.now();
  let at = first;
  while (at < to) {
    await pause(LOOK_MS);
    at = await booked();
  }
  return { perSecond: ((to - first) / (performance.now() - started)) * 1000, from: before + 1, to };
};

/** Milliseconds from the finality of each of many deposits, in blocks of their own at even intervals, until the account may spend it. */
const timeDeposits = async ({ node, spendable }: ChainStage, { accountId, safe }: BenchSafe): Promise<number[]> => {
  const before = await spendable(accountId);
  const finalAt: number[] = [];
  const deposit = async (): Promise<void> => {
    for (let made = 0; made < DEPOSITS; made += 1) {
      await node.add({ blocks: 1, transfers: 1, everyNth: 1, safes: [safe] });
      finalAt.push(performance.now());
      await pause(DEPOSIT_SPACING_MS);
    }
  };
  const times: number[] = [];
  const watch = async (): Promise<void> => {
    while (times.length < DEPOSITS) {
      // Each deposit is one smallest unit, so the balance tells how many are credited.
      const credited = (await spendable(accountId)) - before;
      const now = performance.now();
      for (let index = times.length; index < credited; index += 1) times.push(now - (finalAt[index] ?? now));
      await pause(BALANCE_LOOK_MS);
    }
  };
  await Promise.all([deposit(), watch()]);
  return times;
};

/**
 * The chain service that catches up, as after a stop, with blocks that were prepared: a node of the bench's own serves them, because Hardhat would need longer to
 * make 100,000 transfers than all the rest takes. Platform, engines and node are processes that share the machine with the peer.
 */
export const benchChain = async (report: (line: string) => void): Promise<Row[]> => {
  const stage = await openChainStage(POLL_MS, report);
  const rows: Row[] = [];
  const add = (row: Row): void => {
    rows.push(row);
    report(rowText(row));
  };
  try {
    const safes = await stage.openAccounts(FEW_ACCOUNTS);
    report(`warming up: ${WARM_UP_BLOCKS} blocks`);
    const warm = await catchUp(stage, safes, WARM_UP_BLOCKS);
    await fetchBlocks(stage, warm.from, warm.to);

    report(`catching up over ${BLOCKS} blocks`);
    const pids = [
      ...['chain', 'ledger'].map((name) => [name, pidOf(stage.platform, name)] as const),
      ['the node', stage.node.pid] as const,
    ];
    const used = (): number[] => pids.map(([, pid]) => processorMicroseconds(pid));
    const idle = used();
    const few = await catchUp(stage, safes, BLOCKS);
    const busy = used();
    const fetched = await fetchBlocks(stage, few.from, few.to);
    add({ name: 'catching up', value: few.perSecond, unit: 'blocks/s', peer: 'fetching', ratio: few.perSecond / fetched });
    add({ name: 'fetching the same blocks', value: fetched, unit: 'blocks/s' });
    pids.forEach(([name], index) => {
      add({ name: `processor time per block: ${name}`, value: ((busy[index] ?? 0) - (idle[index] ?? 0)) / BLOCKS, unit: 'µs' });
    });

    report(`${DEPOSITS} deposits`);
    const [safe] = safes;
    if (safe === undefined) throw new Error('there is no account');
    const times = await timeDeposits(stage, safe);
    const p99 = percentile(times, 0.99);
    add({ name: 'final deposit to credit, p99', value: p99, unit: 'ms', peer: 'block poll', ratio: p99 / POLL_MS });

    await addAccountRecords(stage.platform.mongodbUri, ACCOUNTS - FEW_ACCOUNTS, report);
    report(`warming up with ${ACCOUNTS} accounts: ${WARM_UP_BLOCKS} blocks`);
    await catchUp(stage, safes, WARM_UP_BLOCKS);
    report(`catching up over ${BLOCKS} blocks with ${ACCOUNTS} accounts`);
    const many = await catchUp(stage, safes, BLOCKS);
    add({
      name: `time per block, ${ACCOUNTS} accounts`,
      value: 1000 / many.perSecond,
      unit: 'ms',
      peer: `${FEW_ACCOUNTS} accounts`,
      ratio: few.perSecond / many.perSecond,
    });
    return rows;
  } finally {
    await stage.close();
  }
};
