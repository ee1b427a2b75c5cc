import { z } from 'zod';
import type { Overview } from '../contract/index.ts';

const TIMEOUT_MS = 4000;

/** `GET /api/v1/alerts` of Prometheus, as far as it is read. */
const answer = z.object({
  data: z.object({
    alerts: z.array(
      z.object({
        state: z.string(),
        activeAt: z.coerce.date(),
        labels: z.object({ alertname: z.string(), severity: z.string().default(''), job: z.string().default('') }),
        annotations: z.object({ summary: z.string().default('') }).default({ summary: '' }),
      }),
    ),
  }),
});

/**
 * The alerts that fire at a Prometheus with the rules of deploy/observability, which state the objectives: the longest first.
 * @throws Error when Prometheus does not answer in time, or answers with something else
 */
export const readAlerts = async (prometheusUrl: string): Promise<NonNullable<Overview['alerts']>> => {
  const url = `${prometheusUrl.replace(/\/$/, '')}/api/v1/alerts`;
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' });
  if (!response.ok) throw new Error(`reading the alerts failed with status ${response.status}`);
  const { data } = answer.parse(await response.json());
  return data.alerts
    .filter(({ state }) => state === 'firing')
    .map(({ activeAt, labels: { alertname, severity, job }, annotations: { summary } }) => ({
      ...{ name: alertname, severity, summary, since: activeAt.toISOString() },
      ...(job === '' ? {} : { service: job }),
    }))
    .toSorted((a, b) => a.since.localeCompare(b.since, 'en'));
};
