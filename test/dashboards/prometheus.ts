import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testPort } from '@florin/rpc/testing/test-port';
import { waitFor } from '@florin/rpc/testing/wait-for';
import { stringify } from 'yaml';
import { observabilityFiles } from '../../scripts/observability/render.ts';

type Sample = { metric: Readonly<Record<string, string>>; value: readonly [number, string] };

export type Prometheus = {
  /** Evaluates an expression now. @throws Error with the reason of Prometheus */
  query: (expression: string) => Promise<Sample[]>;
  /** Reports whether every process was scraped, and what keeps those from it that were not. */
  targets: () => Promise<{ job: string; problem: string }[]>;
  /** Names of everything that was scraped. */
  names: () => Promise<Set<string>>;
  /** Ids of the traces that are examples of a metric's values. */
  exampleTraces: (metric: string) => Promise<string[]>;
  stop: () => Promise<void>;
};

/** Seconds. Ten times as often as in production, so that rates exist soon. */
const SCRAPE_INTERVAL = 1;

const configOf = (ports: ReadonlyMap<string, number>): object => ({
  global: { scrape_interval: `${SCRAPE_INTERVAL}s`, evaluation_interval: `${SCRAPE_INTERVAL}s` },
  rule_files: ['rules.yaml'],
  scrape_configs: [...ports].map(([job, port]) => ({ job_name: job, static_configs: [{ targets: [`127.0.0.1:${port}`] }] })),
});

/** Starts a real Prometheus with the alerts of deploy/observability that scrapes processes. @param ports internal ports by name of the process */
export const startPrometheus = async (program: string, ports: ReadonlyMap<string, number>): Promise<Prometheus> => {
  const directory = await mkdtemp(join(tmpdir(), 'florin-prometheus-'));
  const port = await testPort();
  await writeFile(join(directory, 'rules.yaml'), observabilityFiles()['deploy/observability/generated/rules.yaml'] ?? '');
  await writeFile(join(directory, 'prometheus.yaml'), stringify(configOf(ports)));
  const args = [
    `--config.file=${join(directory, 'prometheus.yaml')}`,
    `--storage.tsdb.path=${join(directory, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--enable-feature=exemplar-storage',
    '--log.level=warn',
  ];
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  const get = async <T>(path: string): Promise<T> => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`);
    const { data, error } = (await response.json()) as { data: T; error?: string };
    if (error !== undefined) throw new Error(error);
    return data;
  };
  const of = (path: string, values: Readonly<Record<string, string>>): string => `${path}?${new URLSearchParams(values).toString()}`;
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await rm(directory, { recursive: true, force: true });
  };
  try {
    await waitFor('Prometheus', () => get('status/buildinfo').catch(() => undefined));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    query: async (query) => (await get<{ result: Sample[] }>(of('query', { query }))).result,
    targets: async () => {
      const { activeTargets } = await get<{ activeTargets: { labels: { job: string }; health: string; lastError: string }[] }>('targets');
      return activeTargets
        .filter(({ health }) => health !== 'up')
        .map(({ labels, lastError, health }) => ({ job: labels.job, problem: lastError || health }));
    },
    names: async () => new Set(await get<string[]>('label/__name__/values')),
    exampleTraces: async (query) => {
      const end = Math.ceil(Date.now() / 1000);
      type Found = { exemplars: { labels: Readonly<Record<string, string>> }[] }[];
      const found = await get<Found>(of('query_exemplars', { query, start: String(end - 3600), end: String(end) }));
      return found.flatMap(({ exemplars }) => exemplars.flatMap(({ labels }) => labels['trace_id'] ?? []));
    },
    stop,
  };
};
