import { NAMESPACE } from '@florin/cluster';
import { pause } from '@florin/rpc/time';
import type { Deployment, Stage } from './stage.ts';

const TIMEOUT_MS = 120_000;
const POLL_MS = 1000;

/** The nightly jobs. */
const NIGHTLY = ['ledger-export', 'events-archive'] as const;

const nowOf = (name: string): string => `${name}-now`;

type Job = { metadata: { name: string }; status: { succeeded?: number; failed?: number } };

const jobsOf = async ({ cluster }: Deployment): Promise<Job[]> =>
  (await cluster.api.get<{ items: Job[] }>(`/apis/batch/v1/namespaces/${NAMESPACE}/jobs`)).items;

/** The last line that the pods of a job have logged, or why there is none: a container that did not start has no log. */
const lastLine = async ({ cluster }: Deployment, name: string): Promise<string> => {
  const text = await cluster
    .kubectl(['logs', `job/${name}`, `--namespace=${NAMESPACE}`, '--tail=1'])
    .catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
  return text.trim();
};

/** Waits until every job has succeeded. @returns how many there are, and what is wrong */
const ended = async (deployment: Deployment): Promise<{ count: number; problems: string[] }> => {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const all = await jobsOf(deployment);
    const open = all.filter(({ status }) => (status.succeeded ?? 0) === 0);
    if (open.length === 0) return { count: all.length, problems: [] };
    if (Date.now() > deadline) {
      const problems = await Promise.all(
        open.map(
          async ({ metadata: { name }, status }) =>
            `${name} did not succeed (${status.failed ?? 0} of its pods failed): ${await lastLine(deployment, name)}`,
        ),
      );
      return { count: all.length, problems };
    }
    await pause(POLL_MS);
  }
};

/** The migrations of every service have ended, and the nightly export of the journal and the nightly archive of events work. */
export const jobs: Stage = {
  name: 'jobs',
  run: async (deployment) => {
    const { cluster, report } = deployment;
    for (const name of NIGHTLY) {
      await cluster.kubectl(['create', 'job', nowOf(name), `--from=cronjob/${name}`, `--namespace=${NAMESPACE}`]);
    }
    const { count, problems } = await ended(deployment);
    if (problems.length > 0) return problems;
    report(`${count} jobs succeeded`);
    for (const name of NIGHTLY) report(`${name}: ${await lastLine(deployment, nowOf(name))}`);
    return problems;
  },
};
