import { isDeepStrictEqual } from 'node:util';
import type { Line, ReadBlock } from './read-blocks.ts';
import { AuditError, type Source } from './source.ts';

type Row = Record<string, unknown> & { _id: string };
type Change = {
  block: ReadBlock;
  list: string;
  id: string;
  status: string;
  stage: number;
  txHash: string;
  created?: object;
  kyt?: object;
  /** Fields that are only shown. Rows that earlier releases have written lack them. */
  shown: Record<string, unknown>;
  isLast: boolean;
};

const STAGES: Readonly<Record<string, number>> = {
  pending: 0,
  approved: 1,
  rejected: 1,
  reversed: 2,
  processing: 1,
  completed: 2,
  failed: 2,
};
const TIMES: Readonly<Record<string, string>> = {
  pending: 'createdAt',
  approved: 'resolvedAt',
  rejected: 'resolvedAt',
  reversed: 'reversedAt',
  processing: 'processingAt',
  completed: 'endedAt',
  failed: 'endedAt',
};
const STATUS: Readonly<Record<string, string>> = { seen: 'pending', created: 'pending' };
const ROWS_PER_CHECK = 1000;

const positionOf = (n: number, index: number): number => n * 100_000 + index;

/** The change of an entry to the row of a deposit or a withdrawal. */
const changeOf = (shard: string, block: ReadBlock, { kind, accountId, data }: Line, index: number): Change[] => {
  const [subject = '', event = ''] = kind.split('.');
  const id = data.get('movementId');
  if (!['deposit', 'withdrawal'].includes(subject) || id === undefined) return [];
  const status = STATUS[event] ?? event;
  const isDeposit = subject === 'deposit';
  const texts = ['token', 'amount', 'currency', ...(isDeposit ? ['txHash'] : []), ...(data.has('to') ? ['to'] : [])];
  const numbers = { decimals: Number(data.get('decimals')), logIndex: Number(data.get('logIndex') ?? 0) };
  const created = {
    shard,
    accountId,
    ...Object.fromEntries(texts.map((key) => [key, data.get(key)])),
    ...numbers,
    createdAt: block.at,
    position: positionOf(block.n, index),
  };
  // The transaction of a withdrawal may become known after it was created.
  const txHash = isDeposit ? '' : (data.get('txHash') ?? '');
  const [result, riskScore, riskTier] = [data.get('kytResult'), Number(data.get('kytRiskScore')), data.get('kytRiskTier')];
  const screened = result === undefined ? {} : { kyt: { result, riskScore, riskTier } };
  const reason = data.get('failure');
  const resolvedBy = status === 'approved' || status === 'rejected' ? data.get('actor') : undefined;
  const shown = {
    [TIMES[status] ?? '']: block.at,
    ...(reason === undefined ? {} : { reason }),
    ...(resolvedBy === undefined ? {} : { resolvedBy }),
  };
  const change = { block, list: `${subject}s`, id, status, stage: STAGES[status] ?? -1, txHash, shown, isLast: true, ...screened };
  return [status === 'pending' ? { ...change, created } : change];
};

/** Holds the rows that are projected from the journal against the blocks up to `until`. */
export const createRowCheck = (source: Source, shard: string, start: number, until: number) => {
  let waiting: ReadBlock[] = [];
  let waitingEntries = 0;
  const counts = new Map([
    ['deposits', 0],
    ['withdrawals', 0],
  ]);
  /** Movements whose rows are ahead of the walk, with the block that they name. */
  const ahead = new Map<string, number>();

  const rowsOf = async (list: string, ids: readonly string[]): Promise<Map<string, Row>> => {
    const found = source.collection(list).find({ _id: { $in: [...new Set(ids)] } }) as AsyncIterable<Row>;
    return new Map((await Array.fromAsync(found)).map((row) => [row._id, row]));
  };
  const count = (list: string, more: number) => counts.set(list, (counts.get(list) ?? 0) + more);

  const checkMovement = ({ block, list, id, status, stage, txHash, created, kyt, shown, isLast }: Change, row: Row | undefined): void => {
    const fail = (what: string): never => {
      throw new AuditError(block.id, `${list} ${id}: the projected row ${what}`);
    };
    if (row === undefined) throw new AuditError(block.id, `${list} ${id}: the projected row is missing`);
    if (created !== undefined) {
      count(list, 1);
      if (!Object.entries(created).every(([key, value]) => isDeepStrictEqual(row[key], value))) fail('differs from the entry');
    }
    const asOf = Number(row['asOf']);
    if (!(asOf >= block.n)) fail('lacks this block');
    if (kyt !== undefined && !isDeepStrictEqual(row['kyt'], kyt)) fail('has another screening');
    for (const [key, value] of Object.entries(shown))
      if (row[key] !== undefined && !isDeepStrictEqual(row[key], value)) fail(`has another ${key}`);
    if (asOf > block.n) ahead.set(`${list} ${id}`, asOf);
    else ahead.delete(`${list} ${id}`);
    if (asOf !== block.n || !isLast) return;
    if (row['status'] !== status || row['stage'] !== stage) fail(`is not ${status}`);
    if (txHash !== '' && row['txHash'] !== txHash) fail('names another transaction');
  };

  const checkWaiting = async (): Promise<void> => {
    const blocks = waiting;
    [waiting, waitingEntries] = [[], 0];
    const changes = blocks.flatMap((block) => {
      const own = block.lines.flatMap((line, index) => changeOf(shard, block, line, index));
      return own.map((change, index) => ({ ...change, isLast: !own.slice(index + 1).some(({ id }) => id === change.id) }));
    });
    for (const list of ['deposits', 'withdrawals']) {
      const mine = changes.filter((change) => change.list === list);
      const rows = await rowsOf(
        list,
        mine.map(({ id }) => id),
      );
      for (const change of mine) checkMovement(change, rows.get(change.id));
    }
  };

  return {
    /** @throws AuditError */
    check: async (block: ReadBlock): Promise<void> => {
      if (block.n > until) return;
      waiting.push(block);
      waitingEntries += block.lines.length;
      if (waitingEntries >= ROWS_PER_CHECK) await checkWaiting();
    },
    /** @throws AuditError on rows that no block accounts for */
    end: async (): Promise<void> => {
      await checkWaiting();
      for (const [row, n] of ahead) {
        if (n <= until || (await source.collection('blocks').countDocuments({ shard, n })) === 0)
          throw new AuditError(`${shard}:${n}`, `the row of ${row} names this block, which does not change it`);
      }
      for (const [list, expected] of counts) {
        const filter = { shard, position: { $gte: positionOf(start + 1, 0), $lt: positionOf(until + 1, 0) } };
        if ((await source.collection(list).countDocuments(filter)) === expected) continue;
        throw new AuditError(`${shard}:${until}`, `collection ${list} has rows that no block accounts for`);
      }
    },
  };
};
