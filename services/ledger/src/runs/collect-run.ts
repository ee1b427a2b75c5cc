import { accountKey, entryKey } from '../domain/keys.ts';
import { positionOf } from '../domain/position.ts';
import { byAccount, type RecentBlock, rowAt } from './recent-block.ts';
import { encodeRow, type Group } from './row-text.ts';
import type { RunHead } from './run-store.ts';
import type { RunContent } from './write-run.ts';

/** Rows of one account that stand together at most, so that an account with many rows fills several parts. */
const ROWS_PER_GROUP = 256;

type Collected = { key: number; account: string; tokens: Set<string>; rows: { block: RecentBlock; entries: number[] }[] };

const collect = (blocks: readonly RecentBlock[]): Collected[] => {
  const found = new Map<string, Collected>();
  for (const block of blocks) {
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

const groupsOf = function* (collected: readonly Collected[]): Generator<Group> {
  for (const { account, tokens, rows } of collected) {
    const sorted = [...tokens].sort();
    let texts: string[] = [];
    const take = (): Group => {
      const group = { account, rows: texts.length, tokens: sorted, body: Buffer.from(texts.join('')) };
      texts = [];
      return group;
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
export const collectRun = (blocks: readonly RecentBlock[], epoch: number): { head: RunHead; content: RunContent } => {
  const count = blocks.reduce((sum, { ids }) => sum + ids.length, 0);
  const keys = new Float64Array(count);
  const positions = new Float64Array(count);
  let next = 0;
  for (const { n, ids } of blocks) {
    ids.forEach((id, index) => {
      keys[next] = entryKey(id);
      positions[next] = positionOf(n, index);
      next += 1;
    });
  }
  const collected = collect(blocks);
  const tokens = new Set(collected.flatMap((one) => [...one.tokens]));
  const touches = collected.reduce((sum, one) => sum + one.tokens.size, 0);
  const [from, to] = [blocks[0]?.n ?? 0, blocks.at(-1)?.n ?? 0];
  return {
    head: { level: 0, from, to, epoch, entries: count, tokens: [...tokens].sort(), touches },
    content: { keys, positions, times: blocks.map(({ n, at }) => [n, at.getTime()]), groups: groupsOf(collected) },
  };
};
