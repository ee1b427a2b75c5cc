/** The calendar day of a time where the reader is, for example `2026-11-22`. */
export const dayOf = (time: string, timeZone?: string): string =>
  new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', ...(timeZone === undefined ? {} : { timeZone }) }).format(new Date(time));

/** Groups rows, which are sorted by time, by calendar day. */
export const byDay = <T extends { createdAt: string }>(rows: readonly T[], timeZone?: string): { day: string; rows: T[] }[] => {
  const groups: { day: string; rows: T[] }[] = [];
  for (const row of rows) {
    const day = dayOf(row.createdAt, timeZone);
    const last = groups.at(-1);
    if (last?.day === day) last.rows.push(row);
    else groups.push({ day, rows: [row] });
  }
  return groups;
};

/** Formats a month, given as `2026-11`, with its year, or as the short word below a column. */
export const formatMonth = (month: string, locale: string, look: 'long' | 'short' = 'long'): string => {
  const year = look === 'long' ? { year: 'numeric' as const } : {};
  const words = new Intl.DateTimeFormat(locale, { month: look, ...year, timeZone: 'UTC' }).format(new Date(`${month}-01`));
  return words.charAt(0).toLocaleUpperCase(locale) + words.slice(1);
};

/** Formats a day as today, yesterday or a date. */
export const formatDay = (day: string, today: string, locale: string): string => {
  const distance = Math.round((Date.parse(day) - Date.parse(today)) / 86_400_000);
  if (distance === 0 || distance === -1) {
    const words = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(distance, 'day');
    return words.charAt(0).toLocaleUpperCase(locale) + words.slice(1);
  }
  const isThisYear = day.slice(0, 4) === today.slice(0, 4);
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'long',
    ...(isThisYear ? {} : { year: 'numeric' }),
    timeZone: 'UTC',
  }).format(new Date(day));
};
