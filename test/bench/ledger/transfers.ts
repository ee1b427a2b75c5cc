import { Code, ConnectError } from '@connectrpc/connect';
import { EntryResultCode } from '@florin/proto/ledger/v1/entry';
import { CodedError } from '@florin/rpc/errors';
import { systemRuntime } from '@florin/rpc/runtime';
import { latenciesAtRate } from '../latencies-at-rate.ts';
import { percentile } from '../row.ts';
import type { BenchAccount } from './accounts.ts';
import type { LedgerStage } from './stage.ts';

/** Chooses who pays whom. */
export type Pairing = () => readonly [debit: string, credit: string];

export const spread = (accounts: readonly BenchAccount[]): Pairing => {
  const pick = () => Math.floor(Math.random() * accounts.length);
  const idAt = (index: number) => accounts[index % accounts.length]?.accountId ?? '';
  return () => {
    const first = pick();
    return [idAt(first), idAt(first + 1 + Math.floor(Math.random() * (accounts.length - 1)))];
  };
};

/** Back and forth between the same two, so that neither runs dry. */
export const hotPair = (accounts: readonly BenchAccount[]): Pairing => {
  const [a, b] = accounts.map(({ accountId }) => accountId);
  let turn = 0;
  return () => {
    turn += 1;
    return turn % 2 === 0 ? [a ?? '', b ?? ''] : [b ?? '', a ?? ''];
  };
};

/**
 * Ids as the platform's services choose theirs, UUID v7, by the cheapest way to make many: one that is random, and a counter in its
 * last digits (RFC 9562, section 6.2).
 */
const createIds = (): (() => string) => {
  const prefix = systemRuntime.newId().slice(0, -12);
  let count = 0;
  return () => {
    count += 1;
    return prefix + count.toString(16).padStart(12, '0');
  };
};

const nextId = createIds();

const newEntry = (pairing: Pairing) => {
  const [debit, credit] = pairing();
  return { entryId: nextId(), transfers: [{ debit, credit, token: 'EURe', amount: '1' }] };
};

type NewEntry = ReturnType<typeof newEntry>;

/** Books entries. */
export type Send = (entries: NewEntry[]) => Promise<EntryResultCode[]>;

/** One request for all entries. */
export const inOneCall =
  (client: Pick<LedgerStage['ownEntries'], 'createEntries'>): Send =>
  async (entries) =>
    (await client.createEntries({ entries })).results.map(({ code }) => code);

/** A call for each entry, by the client that the platform's services use. */
export const oneByOne =
  (client: LedgerStage['coalesced']): Send =>
  (entries) =>
    Promise.all(entries.map((entry) => client.create(entry, { timeoutMs: 60_000 })));

const MAX_TRIES = 20;

/** The platform's own client raises coded errors, the one over gRPC those of its library. */
const isUnavailable = (error: unknown): boolean =>
  error instanceof CodedError ? error.code === 'SERVICE_UNAVAILABLE' : ConnectError.from(error).code === Code.Unavailable;

const DONE: ReadonlySet<EntryResultCode> = new Set([EntryResultCode.CREATED, EntryResultCode.EXISTS]);

/**
 * One call, repeated with the same ids when the ledger is unavailable for a moment, as a starved machine makes it; the time counts. A refused
 * transfer would make the figure mean nothing.
 */
const transfer = async (send: Send, pairing: Pairing, perCall: number): Promise<void> => {
  const entries = Array.from({ length: perCall }, () => newEntry(pairing));
  for (let tries = 1; ; tries += 1) {
    try {
      const codes = await send(entries);
      const refused = codes.find((code) => !DONE.has(code));
      if (refused !== undefined) throw new Error(`a transfer was refused: code ${refused}`);
      return;
    } catch (error) {
      if (!isUnavailable(error) || tries === MAX_TRIES) throw error;
    }
  }
};

export type LoadResult = { perSecond: number; count: number; latencies: number[] };

/** Callers that each send the next call when the last one is answered. */
export const closedLoop = async (
  send: Send,
  options: { pairing: Pairing; callers: number; perCall: number; seconds: number },
): Promise<LoadResult> => {
  const { pairing, callers, perCall, seconds } = options;
  const latencies: number[] = [];
  const started = performance.now();
  const end = started + seconds * 1000;
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() < end) {
        const sent = performance.now();
        await transfer(send, pairing, perCall);
        latencies.push(performance.now() - sent);
      }
    }),
  );
  const count = latencies.length * perCall;
  return { count, perSecond: (count / (performance.now() - started)) * 1000, latencies };
};

/** Transfers at a fixed rate; see `latenciesAtRate`. */
export const openLoop = async (send: Send, options: { pairing: Pairing; perSecond: number; seconds: number }): Promise<{ p99: number }> => {
  const { pairing, perSecond, seconds } = options;
  const latencies = await latenciesAtRate(() => transfer(send, pairing, 1), perSecond, seconds);
  return { p99: percentile(latencies, 0.99) };
};

/** Waits until everything that is durable is in the projections as well. */
export const projectionsCaughtUp = async ({ database }: LedgerStage): Promise<void> => {
  for (;;) {
    const [last] = await database
      .collection('blocks')
      .find({}, { projection: { n: 1 } })
      .sort({ n: -1 })
      .limit(1)
      .toArray();
    const checkpoint = await database.collection('checkpoints').findOne({ projected: { $gte: last?.['n'] ?? 0 } });
    if (checkpoint !== null) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};
