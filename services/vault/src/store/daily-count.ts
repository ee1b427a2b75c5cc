/**
 * A count of one day in a document: `<field>.day` (UTC, YYYY-MM-DD) and `<field>.<counter>`. `readDay` is the day of the stored count as it was read, and
 * tells which write is likely to match.
 */
export type DailyCount = { field: string; counter: string; day: string; limit: number; readDay?: string };

/**
 * Writes to a document whose count of the day is below the limit. By the clock of another process the next day may have begun: its count goes on,
 * or the two would start over in turns.
 * @param write one conditional write; `begins` when it is the first one of the day, so that it sets day and count anew
 * @returns false if the limit is reached, or no write matched
 */
export const writeWithinDay = async (
  { field, counter, day, limit, readDay = day }: DailyCount,
  write: (condition: object, begins: boolean) => Promise<boolean>,
): Promise<boolean> => {
  const goesOn = () => write({ [`${field}.day`]: { $gte: day }, [`${field}.${counter}`]: { $lt: limit } }, false);
  const begins = () => write({ [`${field}.day`]: { $not: { $gte: day } } }, true);
  // The last try is for a write that lost the race to be the first of the day.
  for (const attempt of readDay < day ? [begins, goesOn] : [goesOn, begins, goesOn]) {
    if (await attempt()) return true;
  }
  return false;
};
