import { ALERTS } from './alerts.ts';
import { DASHBOARDS } from './dashboards.ts';

/** The queries of alerts and dashboards. */
export const queriedExpressions = (): string[] => [
  ...ALERTS.map(({ expr }) => expr),
  ...DASHBOARDS.flatMap(({ panels }) => panels.flatMap(({ queries }) => queries.map(([, expr]) => expr))),
];
