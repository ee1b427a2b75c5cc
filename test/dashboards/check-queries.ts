import { pause } from '@florin/rpc/time';
import { DASHBOARDS } from '../../scripts/observability/dashboards.ts';
import { queriedExpressions } from '../../scripts/observability/queried-expressions.ts';
import type { Prometheus } from './prometheus.ts';

/** How long the demo may take to move everything that panels show. */
const PATIENCE_MS = 180_000;
const ROUND_MS = 2000;

/** So few open queries are named while they are waited for. */
const NAMED = 5;

/** Grafana's value in its place: at least four scrapes. */
const RATE_INTERVAL = '1m';

type Query = { where: string; expression: string };

const QUERIES: readonly Query[] = DASHBOARDS.flatMap(({ title, panels }) =>
  panels.flatMap((panel) => panel.queries.map(([, expression]) => ({ where: `${title}, ${panel.title}`, expression }))),
);

const hasData = async ({ query }: Prometheus, { expression }: Query): Promise<boolean> => {
  const samples = await query(expression.replaceAll('$__rate_interval', RATE_INTERVAL));
  return samples.some(({ value: [, number] }) => Number.isFinite(Number(number)));
};

/** Names of metrics in the expressions of alerts and dashboards that no process has. */
const unknownNames = async ({ names }: Prometheus): Promise<string[]> => {
  const known = await names();
  const asked = queriedExpressions().flatMap((expr) => [...expr.matchAll(/\b((?:florin|nodejs|process)_\w+|up)\b/g)].map(([name]) => name));
  return [...new Set(asked)].filter((name) => !known.has(name));
};

/**
 * Runs every query of every panel until each has returned a number.
 * @returns what is wrong: queries without data, metrics that nothing has, processes that are not scraped
 */
export const checkQueries = async (
  prometheus: Prometheus,
  { beforeEachRound, report }: { beforeEachRound: () => Promise<void>; report: (line: string) => void },
): Promise<string[]> => {
  let open: readonly Query[] = QUERIES;
  const end = Date.now() + PATIENCE_MS;
  while (open.length > 0 && Date.now() < end) {
    await beforeEachRound();
    const empty = await Promise.all(open.map(async (query) => ((await hasData(prometheus, query)) ? [] : [query])));
    open = empty.flat();
    const waiting = open.length > 0 && open.length <= NAMED ? `; waiting for ${open.map(({ where }) => where).join('; ')}` : '';
    report(`${QUERIES.length - open.length} of ${QUERIES.length} queries have returned data${waiting}`);
    if (open.length > 0) await pause(ROUND_MS);
  }
  return [
    ...open.map(({ where, expression }) => `${where}: no data from ${expression}`),
    ...(await unknownNames(prometheus)).map((name) => `no process has ${name}`),
    ...(await prometheus.targets()).map(({ job, problem }) => `${job} is not scraped: ${problem}`),
  ];
};
