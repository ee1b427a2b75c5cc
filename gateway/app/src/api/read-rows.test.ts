import { expect, test } from 'vitest';
import { MAX_ROWS, readLastLines, readRows } from './read-rows.ts';

const PERIOD = { to: '2026-11-01T00:00:00.000Z' };

/** A statement of lines of these tokens, the latest first. */
const statementOf = (lines: readonly string[]) => {
  const asked: { limit: number; cursor: number }[] = [];
  const read = ({ to: _to, limit }: { to: string; limit: number }) => ({
    pages: async function* () {
      for (let cursor = 0; cursor < lines.length; cursor += limit) {
        asked.push({ limit, cursor });
        const data = lines.slice(cursor, cursor + limit).map((token, index) => ({ token, id: cursor + index }));
        yield { data, pagination: { nextCursor: cursor + limit < lines.length ? `${cursor + limit}` : null } };
      }
    },
  });
  return { asked, read };
};

const lines = (token: string, count: number): string[] => Array(count).fill(token);

test('reads a period to its end, and says so', async () => {
  const { asked, read } = statementOf(lines('EURe', 150));
  expect(await readRows(PERIOD, read)).toMatchObject({ rows: { length: 150 }, isWhole: true });
  expect(asked).toEqual([
    { limit: 100, cursor: 0 },
    { limit: 100, cursor: 100 },
  ]);
});

test('reads no more lines once each token has its last one', async () => {
  const { asked, read } = statementOf(['EURe', ...lines('GBPe', 500)]);
  expect(await readLastLines(PERIOD, ['EURe', 'GBPe'], read)).toEqual({
    rows: [
      { token: 'EURe', id: 0 },
      { token: 'GBPe', id: 1 },
    ],
    isWhole: false,
  });
  expect(asked).toHaveLength(1);
});

test('does not look for a token that never moved through the whole history of an account', async () => {
  const { asked, read } = statementOf(lines('EURe', 10 * MAX_ROWS));
  expect(await readLastLines(PERIOD, ['EURe', 'GBPe'], read)).toEqual({ rows: [{ token: 'EURe', id: 0 }], isWhole: false });
  expect(asked).toHaveLength(20);
});

test('asks for nothing where no token is wanted', async () => {
  const { asked, read } = statementOf(lines('EURe', 1));
  await readLastLines(PERIOD, [], read);
  expect(asked).toEqual([]);
});
