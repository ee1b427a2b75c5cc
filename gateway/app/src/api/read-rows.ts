/** At most so many rows of a period are read. */
export const MAX_ROWS = 2000;

const PAGE = 100;

type Period = { from?: string; to: string };

type Page<Row> = { data: readonly Row[]; pagination: { nextCursor?: string | null | undefined } };

/** A call of the client, which reads page by page. */
type ReadPages<Row> = (asked: Period & { limit: number }) => { pages: () => AsyncIterable<Page<Row>> };

/** Rows, the latest first; `isWhole` if there are no earlier ones. */
export type Read<Row> = { rows: Row[]; isWhole: boolean };

/** Reads the rows of a period page by page until there are enough, or `MAX_ROWS`. */
export const readRows = async <Row>(
  period: Period,
  read: ReadPages<Row>,
  isEnough: (rows: readonly Row[]) => boolean = () => false,
): Promise<Read<Row>> => {
  const rows: Row[] = [];
  let isWhole = true;
  for await (const { data, pagination } of read({ ...period, limit: PAGE }).pages()) {
    rows.push(...data);
    isWhole = (pagination.nextCursor ?? undefined) === undefined;
    if (rows.length >= MAX_ROWS || isEnough(rows)) break;
  }
  return { rows, isWhole };
};

/** Reads the last line of each token in a period. A token without a line has none in the period if `isWhole`; otherwise nobody knows. */
export const readLastLines = async <Line extends { token: string }>(
  period: Period,
  tokens: readonly string[],
  read: ReadPages<Line>,
): Promise<Read<Line>> => {
  if (tokens.length === 0) return { rows: [], isWhole: false };
  const { rows, isWhole } = await readRows(period, read, (lines) => tokens.every((token) => lines.some((line) => line.token === token)));
  return { rows: tokens.flatMap((token) => rows.find((line) => line.token === token) ?? []), isWhole };
};
