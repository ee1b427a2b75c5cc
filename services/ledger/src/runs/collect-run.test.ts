import { describe, expect, it } from 'vitest';
import { encodeEntries, GENESIS, sealBlock } from '../domain/block.ts';
import { type Entry, encodeEntry } from '../domain/entry.ts';
import { positionOf } from '../domain/position.ts';
import { collectRun } from './collect-run.ts';
import { recentBlock } from './recent-block.ts';

const AT = new Date(1_763_875_200_000);

const transfer = (index: number, debit: string, credit: string, data: Record<string, string> = {}): Entry => ({
  id: `entry-${index}`,
  kind: 'transfer',
  accountId: 'a',
  inputHash: '',
  transfers: [{ debit, credit, token: 'EURe', amount: 1n }],
  booked: [],
  data,
});

const blockOf = (n: number, entries: readonly Entry[]) =>
  recentBlock(sealBlock({ ...GENESIS, n: n - 1 }, { shard: '0', epoch: 1, at: AT, body: encodeEntries(entries) }), entries);

/** The rows of a run, each with its account, copied at once: the next group may take their memory. */
const rowsOf = async (blocks: Parameters<typeof collectRun>[0]) => {
  const { content } = await collectRun(blocks, 1);
  const found = new Map<string, { rows: number[]; text: string }>();
  for await (const groups of content.groups) {
    for (const { account, rows, body } of groups) {
      const { rows: before, text } = found.get(account) ?? { rows: [], text: '' };
      found.set(account, { rows: [...before, rows], text: text + body.toString() });
    }
  }
  return found;
};

const rowText = (n: number, index: number, entry: Entry): string => `${positionOf(n, index)} ${AT.getTime()} 1 ${encodeEntry(entry)}\n`;

describe('a run of blocks', () => {
  it('has each entry in the rows of each of its accounts, in its order, whatever characters it has', async () => {
    const first = [transfer(1, 'a/available', 'b/available'), transfer(2, 'b/available', 'a/available', { note: 'Zoë pays 10 € 🙂\n' })];
    const second = [transfer(3, 'a/available', 'system')];
    const rows = await rowsOf([blockOf(1, first), blockOf(2, second)]);
    const [one, two] = first.map((entry, index) => rowText(1, index, entry));
    const three = second.map((entry, index) => rowText(2, index, entry)).join('');
    expect(rows.get('a')).toEqual({ rows: [3], text: `${one}${two}${three}` });
    expect(rows.get('b')).toEqual({ rows: [2], text: `${one}${two}` });
  });

  it('splits an account with many rows, within a block and across blocks', async () => {
    const blocks = [1, 2].map((n) => ({
      n,
      entries: Array.from({ length: 200 + 200 * n }, (_, index) => transfer(1000 * n + index, 'a/available', 'b/available')),
    }));
    const rows = await rowsOf(blocks.map(({ n, entries }) => blockOf(n, entries)));
    const text = blocks.flatMap(({ n, entries }) => entries.map((entry, index) => rowText(n, index, entry))).join('');
    expect(rows.get('a')).toEqual({ rows: [256, 256, 256, 232], text });
    expect(rows.get('b')).toEqual({ rows: [256, 256, 256, 232], text });
  });
});
