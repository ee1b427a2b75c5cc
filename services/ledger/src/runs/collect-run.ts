import { setImmediate as otherWork } from 'node:timers/promises';
import { accountKey } from '../domain/keys.ts';
import { positionOf } from '../domain/position.ts';
import { byAccount, type RecentBlock, rowAt } from './recent-block.ts';
import { encodeRow, type Group } from './row-text.ts';
import type { RunHead } from './run-store.ts';
import type { RunContent } from './write-run.ts';

/** Rows of one account that stand together at most, so that an account with many rows fills several parts. */
const ROWS_PER_GROUP = 256;

/** Entries that are collected at a time: callers of the ledger do not wait for all of a run. */
const ENTRIES_PER_TURN = 2000;

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

type Collected = { key: number; account: string; tokens: Set<string>; rows: { block: RecentBlock; entries: number[] }[] };

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

const groupsOf = function* (collected: readonly Collected[]): Generator<readonly Group[]> {
  for (const { account, tokens, rows } of collected) {
    const sorted = [...tokens].sort();
    let texts: string[] = [];
    const take = (): readonly Group[] => {
      const group = { account, rows: texts.length, tokens: sorted, body: Buffer.from(texts.join('')) };
      texts = [];
      return [group];
    };
    for (const { block, entries } of rows) {
      for (const index of entries) {
        texts.push(encodeRow(rowAt(block, index)));
        if (texts.length === ROWS_PER_GROUP) yield take();
      }
    }
    if (texts.length > 0) yield take();
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
