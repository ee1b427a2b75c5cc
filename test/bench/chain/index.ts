import { processEnvironment } from '@florin/rpc/config';
import { pause } from '@florin/rpc/time';
import { processorByRoot } from '../process-times.ts';
import { percentile, type Row, rowText } from '../row.ts';
import { sized } from '../sized.ts';
import { type CaughtUp, catchUp } from './catch-up.ts';
import { fetchAsService, fetchSingly } from './fetch-blocks.ts';
import { addAccountRecords } from './more-accounts.ts';
import { type BenchSafe, type ChainStage, openChainStage } from './stage.ts';

const FEW_ACCOUNTS = sized(1000, 50);
const BLOCKS = sized(10_000, 200);
const WARM_UP_BLOCKS = sized(2000, 50);
/** The service and its peers take turns, so that what else the machine does decides nothing. */
const ROUNDS = sized(3, 1);

const DEPOSITS = sized(200, 5);
const DEPOSIT_SPACING_MS = 150;
/** Between two looks at a balance: the error of each measured time. */
const BALANCE_LOOK_MS = 10;
/** The service's default. */
const POLL_MS = 2000;

/** Accounts of the large ledger; fewer are for trying the bench. */
const ACCOUNTS = Number(processEnvironment()['BENCH_ACCOUNTS'] ?? sized(1_000_000, 1000));

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

/** Blocks a second. */
const rateOf = (measured: readonly Pick<CaughtUp, 'blocks' | 'seconds'>[]): number =>
  measured.reduce((sum, { blocks }) => sum + blocks, 0) / measured.reduce((sum, { seconds }) => sum + seconds, 0);

/** The processes whose processor time is measured: by pid, with the processes that descend from it. */
const measuredProcesses = ({ platform, node }: ChainStage): Map<number, string> =>
  new Map([...platform.processes().flatMap(({ name, pid }) => (pid === undefined ? [] : [[pid, name] as const])), [node.pid, 'the node']]);

/** The service catches up in turns with its peers, which fetch the same blocks. */
const compareWithFetching = async (stage: ChainStage, safes: readonly BenchSafe[], report: (line: string) => void) => {
  report(`warming up: ${WARM_UP_BLOCKS} blocks`);
  const warm = await catchUp(stage, safes, WARM_UP_BLOCKS);
  const peers = [
    { name: 'fetching one by one', fetch: fetchSingly, measured: [] as CaughtUp[] },
    { name: 'fetching in batches', fetch: fetchAsService, measured: [] as CaughtUp[] },
  ];
  for (const { fetch } of peers) await fetch(stage, warm);
  const processes = measuredProcesses(stage);
  const used = new Map([...processes.values()].map((name) => [name, 0]));
  const caughtUp: CaughtUp[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    report(`catching up over ${BLOCKS} blocks, round ${round} of ${ROUNDS}`);
    const before = processorByRoot(processes);
    const own = await catchUp(stage, safes, BLOCKS);
    for (const [name, after] of processorByRoot(processes)) used.set(name, (used.get(name) ?? 0) + after - (before.get(name) ?? 0));
    caughtUp.push(own);
    for (const { fetch, measured } of peers) measured.push({ ...own, blocks: BLOCKS, seconds: await fetch(stage, own) });
    report(
      `blocks a second: ${[own, ...peers.map(({ measured }) => measured.at(-1) ?? own)].map((one) => Math.round(rateOf([one]))).join(', ')}`,
    );
  }
  const perSecond = rateOf(caughtUp);
  const against = peers.map(({ name, measured }): Row => {
    const ratio = perSecond / rateOf(measured);
    return { name: 'catching up', value: perSecond, unit: 'blocks/s', peer: name, ratio };
  });
  const alone = peers.map(({ name, measured }): Row => ({ name, value: rateOf(measured), unit: 'blocks/s' }));
  const times = [...used].map(
    ([name, total]): Row => ({ name: `processor time per block: ${name}`, value: total / (ROUNDS * BLOCKS), unit: 'µs' }),
  );
  return { perSecond, rows: [...against, ...alone, ...times] };
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
    const few = await compareWithFetching(stage, safes, report);
    few.rows.forEach(add);

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
    const perSecond = rateOf([await catchUp(stage, safes, BLOCKS)]);
    add({
      name: `time per block, ${ACCOUNTS} accounts`,
      value: 1000 / perSecond,
      unit: 'ms',
      peer: `${FEW_ACCOUNTS} accounts`,
      ratio: few.perSecond / perSecond,
    });
    return rows;
  } finally {
    await stage.close();
  }
};
