import { ALERTS } from './alerts.ts';
import { DASHBOARDS } from './dashboards.ts';

/** What alerts and dashboards ask Prometheus. */
export const queriedExpressions = (): string[] => [
  ...ALERTS.map(({ expr }) => expr),
  ...DASHBOARDS.flatMap(({ panels }) => panels.flatMap(({ queries }) => queries.map(([, expr]) => expr))),
];
