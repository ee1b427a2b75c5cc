/** A count of one day in a document: `<field>.day` (UTC, YYYY-MM-DD) and `<field>.<counter>`. */
export type DailyCount = { field: string; counter: string; day: string; limit: number };

/**
 * Writes to a document whose count of the day is below the limit. By the clock of another process the next day may have begun: its count goes on,
 * or the two would start over in turns.
 * @param write one conditional write; `begins` when it is the first one of the day, so that it sets day and count anew
 * @returns false if the limit is reached, or no write matched
 */
export const writeWithinDay = async (
  { field, counter, day, limit }: DailyCount,
  write: (condition: object, begins: boolean) => Promise<boolean>,
): Promise<boolean> => {
  const goesOn = () => write({ [`${field}.day`]: { $gte: day }, [`${field}.${counter}`]: { $lt: limit } }, false);
  const begins = () => write({ [`${field}.day`]: { $not: { $gte: day } } }, true);
  // The last try is for a write that lost the race to be the first of the day.
  for (const attempt of [goesOn, begins, goesOn]) {
    if (await attempt()) return true;
  }
  return false;
};
