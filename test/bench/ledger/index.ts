import { percentile, type Row } from '../row.ts';
import { sized } from '../sized.ts';
import { fundAccounts, openAccounts } from './accounts.ts';
import { mediciPerSecond } from './medici.ts';
import { perPiece, processorTime } from './processor-time.ts';
import { benchScale } from './scale.ts';
import { type LedgerStage, openLedgerStage } from './stage.ts';
import { closedLoop, hotPair, inOneCall, oneByOne, openLoop, projectionsCaughtUp, type Send, spread } from './transfers.ts';

const ACCOUNTS = sized(1000, 50);
const FUNDS = '1000000000000';
const WARM_UP_SECONDS = sized(5, 1);
const MINUTE = sized(60, 2);
const ROUND_SECONDS = sized(10, 1);
const BATCH = { callers: 8, perCall: 1000 };
const SINGLE = { callers: 64, perCall: 1 };

const medici = async (stage: LedgerStage, report: (line: string) => void): Promise<number> => {
  report('medici');
  return mediciPerSecond(stage.mongodbUri, ROUND_SECONDS);
};

/** Transfers a second, durable when answered, by the client of the platform's services and over gRPC, beside medici on the same engine. */
const benchThroughput = async (stage: LedgerStage, report: (line: string) => void): Promise<Row[]> => {
  const accounts = await openAccounts(stage, ACCOUNTS, report);
  await fundAccounts(stage, accounts, FUNDS);
  const before = await medici(stage, report);
  const measure = async (what: string, send: Send, options: Parameters<typeof closedLoop>[1]) => {
    report(what);
    const result = await closedLoop(send, options);
    await projectionsCaughtUp(stage);
    return result;
  };
  const pairing = spread(accounts);
  const [batches, single, overGrpc] = [inOneCall(stage.ownEntries), oneByOne(stage.coalesced), inOneCall(stage.clients.entries)];
  await measure('warm-up', single, { ...SINGLE, pairing, seconds: WARM_UP_SECONDS });
  const singles = await measure('one transfer a call', single, { ...SINGLE, pairing, seconds: ROUND_SECONDS });
  report('one transfer a call at half that rate');
  const half = await openLoop(single, { pairing, perSecond: singles.perSecond / 2, seconds: ROUND_SECONDS });
  const apart = await measure('one transfer a request', batches, { ...SINGLE, pairing, seconds: ROUND_SECONDS });

  await measure('warm-up', batches, { ...BATCH, pairing, seconds: WARM_UP_SECONDS });
  const idle = processorTime(stage.pid());
  const batched = await measure('batches of 1,000', batches, { ...BATCH, pairing, seconds: ROUND_SECONDS });
  const processor = perPiece(idle, processorTime(stage.pid()), batched.count);
  const grpc = await measure('batches of 1,000 over gRPC', overGrpc, { ...BATCH, pairing, seconds: ROUND_SECONDS });
  const hotBatch = { ...BATCH, pairing: hotPair(accounts), seconds: ROUND_SECONDS };
  const hot = await measure('batches of 1,000 between two accounts', batches, hotBatch);

  report('batches of 1,000 for a minute');
  const started = performance.now();
  const minute = await closedLoop(batches, { ...BATCH, pairing, seconds: MINUTE });
  await projectionsCaughtUp(stage);
  const caughtUp = (minute.count / (performance.now() - started)) * 1000;
  // Before and after the ledger's rounds, because the speed of a machine changes within minutes.
  const peer = (before + (await medici(stage, report))) / 2;
  const beside = (value: number) => ({ value, peer: 'medici', ratio: value / peer });
  return [
    { name: 'batched, 1,000 a call', unit: 'transfers/s', ...beside(batched.perSecond) },
    { name: 'batched, over gRPC', unit: 'transfers/s', ...beside(grpc.perSecond) },
    { name: 'batched p99 of a call', value: percentile(batched.latencies, 0.99), unit: 'ms' },
    { name: 'batched for a minute, projections caught up', unit: 'transfers/s', ...beside(caughtUp) },
    { name: 'batched, hot pair', value: hot.perSecond, unit: 'transfers/s', peer: 'batched', ratio: hot.perSecond / batched.perSecond },
    { name: 'single, 64 callers', unit: 'transfers/s', ...beside(singles.perSecond) },
    { name: 'single, 64 callers, a request each', unit: 'transfers/s', ...beside(apart.perSecond) },
    { name: 'single p99 at half that rate', value: half.p99, unit: 'ms' },
    { name: 'medici', value: peer, unit: 'transfers/s' },
    ...[...processor].map(([part, value]) => ({ name: `batched, processor time per transfer: ${part}`, value, unit: 'µs' })),
    {
      name: 'batched, processor time per transfer, all',
      value: [...processor.values()].reduce((sum, value) => sum + value, 0),
      unit: 'µs',
    },
  ];
};

type Part = (stage: LedgerStage, report: (line: string) => void) => Promise<Row[]>;

/** Parts of the bench, one after the other on engines of their own. */
const benchOf =
  (...parts: readonly Part[]) =>
  async (report: (line: string) => void): Promise<Row[]> => {
    const rows: Row[] = [];
    for (const part of parts) {
      const stage = await openLedgerStage(report);
      try {
        rows.push(...(await part(stage, report)));
      } finally {
        await stage.close();
      }
    }
    return rows;
  };

export const benchLedgerThroughput = benchOf(benchThroughput);
export const benchLedgerScale = benchOf(benchScale);
export const benchLedger = benchOf(benchThroughput, benchScale);
