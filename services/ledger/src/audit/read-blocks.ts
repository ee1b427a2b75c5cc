import { hash } from 'node:crypto';
import { AuditError, type Source } from './source.ts';

/** An entry as its line states it. */
export type Line = {
  id: string;
  kind: string;
  accountId: string;
  transfers: readonly (readonly [debit: string, credit: string, token: string, amount: string])[];
  booked: readonly string[];
  data: ReadonlyMap<string, string>;
  text: string;
};

/** Place in a chain, and the term of its block where that is known. */
export type Place = { n: number; hash: string; at: Date; epoch?: number };
export const GENESIS: Place = { n: 0, hash: '0'.repeat(64), at: new Date(0) };

/** A block whose hash and place in the chain are right. */
export type ReadBlock = Place & { id: string; lines: readonly Line[] };

type Stored = Place & { _id: unknown; shard: string; epoch: number; prevHash: string; body: string };

const areTexts = (value: unknown, length?: number): boolean =>
  Array.isArray(value) && value.length === (length ?? value.length) && value.every((one) => typeof one === 'string');
const areRows = (value: unknown, length: number): boolean => Array.isArray(value) && value.every((one) => areTexts(one, length));

const readLine = (text: string): Line => {
  const [id, kind, accountId, inputHash, transfers, booked, data, ...more] = JSON.parse(text) as unknown[];
  const sound = areTexts([id, kind, accountId, inputHash]) && areRows(transfers, 4) && areTexts(booked) && areRows(data, 2);
  if (!sound || more.length > 0) throw new Error('it has another shape');
  return { id, kind, accountId, transfers, booked, data: new Map(data as [string, string][]), text } as Line;
};

/** Describes the fault of a stored block as the successor of `tail`, in one sentence. */
export const chainProblem = (tail: Place, shard: string, stored: Stored): string | undefined => {
  const { _id, n, epoch, prevHash, at, body } = stored;
  if (n !== tail.n + 1) return `block ${n} stands in place of block ${tail.n + 1}`;
  if (_id !== `${shard}:${n}`) return `the block is stored as ${String(_id)}`;
  if (prevHash !== tail.hash) return 'prevHash is not the hash of the previous block';
  const header = JSON.stringify(['florin-block-2', stored.shard, n, epoch, prevHash, at.toISOString()]);
  if (stored.hash !== hash('sha256', `${header}\n${body}`)) return 'the hash does not match the content';
  if (epoch < (tail.epoch ?? 0)) return 'the block is of an earlier term than the previous block';
  return at < tail.at ? 'the block is older than the previous block' : undefined;
};

/** Entries of a block. @throws AuditError */
export const readLines = (id: string, body: string): Line[] => {
  try {
    return body === '' ? [] : body.split('\n').map(readLine);
  } catch (error) {
    throw new AuditError(id, `an entry cannot be read: ${(error as Error).message}`);
  }
};

/** Blocks of one query: an engine may sort all that a filter leaves before it returns the first. */
const WINDOW = 64;

/** Blocks after `start` up to `last`, in order, with the chain checked. @throws AuditError naming the first bad block */
export const readBlocks = async function* (source: Source, shard: string, start: Place, last: number): AsyncGenerator<ReadBlock> {
  let tail = start;
  for (let from = start.n; from < last; from += WINDOW) {
    const filter = { shard, n: { $gt: from, $lte: Math.min(from + WINDOW, last) } };
    const found = source.collection('blocks').find(filter, { readConcern: { level: 'majority' } });
    for await (const stored of found.sort({ n: 1 }).batchSize(10) as AsyncIterable<Stored>) {
      const id = `${shard}:${tail.n + 1}`;
      const problem = chainProblem(tail, shard, stored);
      if (problem !== undefined) throw new AuditError(id, problem);
      const place = { n: stored.n, hash: stored.hash, at: stored.at };
      tail = { ...place, epoch: stored.epoch };
      yield { ...place, id, lines: readLines(id, stored.body) };
    }
  }
  if (tail.n < last) throw new AuditError(`${shard}:${tail.n + 1}`, 'the block is missing');
};
