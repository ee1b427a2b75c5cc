import { compareBuilds, deploySandbox, isInside, launch, launchedAt, openCluster } from '@florin/cluster';
import { processEnvironment } from '@florin/rpc/config';
import { createApiClient } from '../support/api-client.ts';
import { ROOT } from '../support/settings.ts';
import { certificates } from './stages/certificates.ts';
import { edges } from './stages/edges.ts';
import { endToEnd } from './stages/end-to-end.ts';
import { fullDisk } from './stages/full-disk.ts';
import { jobs } from './stages/jobs.ts';
import { kills, ownerDeleted } from './stages/kills.ts';
import { renewal } from './stages/renewal.ts';
import type { Stage } from './stages/stage.ts';
import { story } from './stages/story.ts';
import { abruptUpdate, drain, rollingUpdates } from './stages/updates.ts';

/**
 * `npm run cluster [-- STAGE…]`: brings up a Kubernetes of two nodes on this machine, deploys the sandbox overlay, and shows that it works and keeps
 * working, stage by stage. `npm run cluster -- image` shows instead that two builds of a commit are the same image.
 */
const GROUPS: readonly (readonly Stage[])[] = [
  [story],
  // Stages that only look, or wait, beside those that work.
  [endToEnd, jobs, edges, certificates],
  [renewal],
  [rollingUpdates],
  [drain],
  [ownerDeleted],
  [kills],
  [fullDisk],
  [abruptUpdate],
];

const STAGES = GROUPS.flat();

const SECONDS_WIDTH = 5;
const started = launchedAt(processEnvironment());
const report = (line: string): void => {
  process.stdout.write(`${String(Math.round((Date.now() - started) / 1000)).padStart(SECONDS_WIDTH)} s  ${line}\n`);
};

/** Runs the stages of these names in the namespaces of the cluster. @returns the number of things that are wrong */
const play = async (isChosen: (name: string) => boolean): Promise<number> => {
  const cluster = await openCluster({ env: processEnvironment(), report });
  const url = await deploySandbox(cluster, report);
  const deployment = { cluster, url, api: createApiClient(url), report };
  const playOne = async ({ name, run }: Stage): Promise<number> => {
    const begun = Date.now();
    const problems = await run(deployment);
    cluster.check();
    for (const problem of problems) report(`  wrong: ${problem}`);
    report(`${problems.length === 0 ? 'ok  ' : 'FAIL'} ${name} (${Math.round((Date.now() - begun) / 1000)} s)`);
    return problems.length;
  };
  let wrong = 0;
  for (const group of GROUPS) {
    for (const count of await Promise.all(group.filter(({ name }) => isChosen(name)).map(playOne))) wrong += count;
  }
  return wrong;
};

const names = process.argv.slice(2);
const options = { rootDir: ROOT, env: processEnvironment(), report };
const unknown = names.find((name) => STAGES.every((stage) => stage.name !== name));
if (names.length === 1 && names[0] === 'image') {
  process.exitCode = await compareBuilds(options);
} else if (unknown !== undefined) {
  process.stderr.write(`usage: npm run cluster [-- STAGE…|image], STAGE one of: ${STAGES.map(({ name }) => name).join(', ')}\n`);
  process.exitCode = 2;
} else if (isInside(processEnvironment())) {
  const wrong = await play((name) => names.length === 0 || names.includes(name)).catch((error: unknown) => {
    const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
    report(`the cluster failed: ${error instanceof Error ? error.message : String(error)}${cause}`);
    return 1;
  });
  // Ends everything in the namespaces.
  process.exit(wrong === 0 ? 0 : 1);
} else {
  process.exitCode = await launch(process.argv.slice(1), options);
}
