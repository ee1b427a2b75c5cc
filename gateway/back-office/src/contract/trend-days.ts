/** How many days the trends may show. */
export const TREND_DAYS = [7, 30] as const;
export type TrendDays = (typeof TREND_DAYS)[number];
