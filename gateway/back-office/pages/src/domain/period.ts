/** The start of a calendar day where the reader is, or of one after it. @param day for example `2026-11-22` */
const startOf = (day: string, daysLater = 0): string => {
  const start = new Date(`${day}T00:00`);
  start.setDate(start.getDate() + daysLater);
  return start.toISOString();
};

/**
 * The time from the start of one calendar day to the end of another where the reader is, as times in UTC.
 * @param firstDay empty for no start
 * @param lastDay empty for no end
 */
export const periodOf = (firstDay: string, lastDay: string): { from: string; to: string } => ({
  from: firstDay === '' ? '' : startOf(firstDay),
  to: lastDay === '' ? '' : startOf(lastDay, 1),
});
