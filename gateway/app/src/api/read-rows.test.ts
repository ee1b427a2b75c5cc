import { expect, test } from 'vitest';
import { MAX_ROWS, readLastLines, readRows } from './read-rows.ts';

const PERIOD = { to: '2026-11-01T00:00:00.000Z' };

/** A statement of lines of these tokens, the latest first. */
const statementOf = (lines: readonly string[]) => {
  const asked: { limit: number; cursor?: string }[] = [];
  const read = async (page: { limit: number; cursor?: string }) => {
    asked.push(page);
    const end = Number(page.cursor ?? 0) + page.limit;
    const data = lines.slice(end - page.limit, end).map((token, index) => ({ token, id: end - page.limit + index }));
    return { data, pagination: { nextCursor: end < lines.length ? `${end}` : null } };
  };
  return { asked, read };
};

const lines = (token: string, count: number): string[] => Array(count).fill(token);

test('reads a period to its end, and says so', async () => {
  const { asked, read } = statementOf(lines('EURe', 150));
  expect(await readRows(PERIOD, read)).toMatchObject({ rows: { length: 150 }, isWhole: true });
  expect(asked).toEqual([
    { ...PERIOD, limit: 100 },
    { ...PERIOD, limit: 100, cursor: '100' },
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
