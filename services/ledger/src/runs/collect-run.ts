import { setImmediate as otherWork } from 'node:timers/promises';
import { accountKey } from '../domain/keys.ts';
import { positionOf } from '../domain/position.ts';
import { byAccount, lineAt, type RecentBlock } from './recent-block.ts';
import { encodeRowStart, type Group, MAX_ROW_FRAME } from './row-text.ts';
import type { RunHead } from './run-store.ts';
import type { RunContent } from './write-run.ts';

/** Rows of one account that stand together at most, so that an account with many rows fills several parts. */
const ROWS_PER_GROUP = 256;

/** Entries that are collected at a time: callers of the ledger do not wait for all of a run. */
const ENTRIES_PER_TURN = 2000;

const LINE_FEED = 10;

/** Of a string, in UTF-8. */
const MAX_BYTES_PER_UNIT = 3;

/** The blocks in turns, other work in between. */
const inTurns = async function* (blocks: readonly RecentBlock[]): AsyncGenerator<RecentBlock> {
  let entries = 0;
  for (const block of blocks) {
    yield block;
    entries += block.keys.length;
    if (entries < ENTRIES_PER_TURN) continue;
    entries = 0;
    await otherWork();
  }
};

/** Entries of an account, by their places in blocks. */
type Rows = { block: RecentBlock; entries: readonly number[] }[];

type Collected = { key: number; account: string; tokens: Set<string>; rows: Rows };

const collect = async (blocks: readonly RecentBlock[]): Promise<Collected[]> => {
  const found = new Map<string, Collected>();
  for await (const block of inTurns(blocks)) {
    for (const [account, { entries, tokens }] of byAccount(block)) {
      let own = found.get(account);
      if (own === undefined) {
        own = { key: accountKey(account), account, tokens: new Set(), rows: [] };
        found.set(account, own);
      }
      own.rows.push({ block, entries });
      for (const token of tokens) own.tokens.add(token);
    }
  }
  return [...found.values()].sort((a, b) => a.key - b.key || (a.account < b.account ? -1 : 1));
};

/** Writes rows one after the other into the same memory: as one string per row they would be built, joined and encoded. */
const createRowWriter = () => {
  let target = Buffer.allocUnsafe(0);
  return {
    /** @returns the rows' text; valid until the next call */
    write: (rows: Rows): Buffer => {
      let most = 0;
      for (const { block, entries } of rows) {
        for (const index of entries) most += MAX_ROW_FRAME + MAX_BYTES_PER_UNIT * lineAt(block, index).length;
      }
      if (most > target.length) target = Buffer.allocUnsafe(2 * most);
      let end = 0;
      for (const { block, entries } of rows) {
        const at = block.at.getTime();
        for (const index of entries) {
          end += target.write(encodeRowStart(positionOf(block.n, index), at, block.booked[index] === 1), end, 'latin1');
          end += target.write(lineAt(block, index), end);
          target[end] = LINE_FEED;
          end += 1;
        }
      }
      return target.subarray(0, end);
    },
  };
};

/** Rows in portions of a group. */
const portionsOf = function* (rows: Rows): Generator<{ portion: Rows; count: number }> {
  let portion: Rows = [];
  let count = 0;
  for (const { block, entries } of rows) {
    for (let start = 0; start < entries.length; ) {
      const some = entries.slice(start, start + ROWS_PER_GROUP - count);
      portion.push({ block, entries: some });
      count += some.length;
      start += some.length;
      if (count < ROWS_PER_GROUP) continue;
      yield { portion, count };
      [portion, count] = [[], 0];
    }
  }
  if (count > 0) yield { portion, count };
};

const groupsOf = function* (collected: readonly Collected[]): Generator<readonly Group[]> {
  const writer = createRowWriter();
  for (const { account, tokens, rows } of collected) {
    const sorted = [...tokens].sort();
    for (const { portion, count } of portionsOf(rows)) yield [{ account, rows: count, tokens: sorted, body: writer.write(portion) }];
  }
};

/** A run of level 0 of blocks that follow each other. */
export const collectRun = async (blocks: readonly RecentBlock[], epoch: number): Promise<{ head: RunHead; content: RunContent }> => {
  const count = blocks.reduce((sum, block) => sum + block.keys.length, 0);
  const keys = new Float64Array(count);
  const positions = new Float64Array(count);
  let next = 0;
  for await (const { n, keys: own } of inTurns(blocks)) {
    keys.set(own, next);
    for (let index = 0; index < own.length; index += 1) positions[next + index] = positionOf(n, index);
    next += own.length;
  }
  const collected = await collect(blocks);
  const tokens = new Set(collected.flatMap((one) => [...one.tokens]));
  const touches = collected.reduce((sum, one) => sum + one.tokens.size, 0);
  const [from, to] = [blocks[0]?.n ?? 0, blocks.at(-1)?.n ?? 0];
  return {
    head: { level: 0, from, to, epoch, entries: count, tokens: [...tokens].sort(), touches },
    content: { keys, positions, times: blocks.map(({ n, at }) => [n, at.getTime()]), groups: groupsOf(collected) },
  };
};
