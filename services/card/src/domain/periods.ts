export type Period = 'day' | 'week' | 'month';

/**
 * Start of the period that contains a time, in UTC; weeks begin on Monday (ISO 8601).
 * @param later number of periods after that one
 */
export const periodStart = (period: Period, time: Date, later = 0): Date => {
  const [year, month, day] = [time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate()];
  switch (period) {
    case 'day':
      return new Date(Date.UTC(year, month, day + later));
    case 'week':
      return new Date(Date.UTC(year, month, day - ((time.getUTCDay() + 6) % 7) + 7 * later));
    case 'month':
      return new Date(Date.UTC(year, month + later, 1));
  }
};
