import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { podLogsOf } from '@florin/cluster';
import { pause } from '@florin/rpc/time';
import { auditJournal, auditLives } from '../../faults/audit.ts';
import { openPeople } from '../../faults/people.ts';
import { createPersistentClient } from '../../faults/persistent-client.ts';
import { isRejection } from '../../support/api-client.ts';
import { fromOwnAddress } from '../../support/customer-address.ts';
import { registerPerson } from '../../support/story.ts';
import { type Ballast, insertBallast } from '../ballast.ts';
import { type PodState, processPods } from '../pods.ts';
import { recovered, standing } from './recovered.ts';
import type { Deployment, Stage } from './stage.ts';

const FULL_MS = 30_000;
const POLL_MS = 500;
const PEOPLE = 2;

/** The responses of a deposit while the engine rejects writes or does not respond. */
const DOCUMENTED = ['503 SERVICE_UNAVAILABLE', '504 UPSTREAM_TIMEOUT'];

/** A call that the engine failed for lack of space. Small writes of other processes may still find some in what the engine has. */
const MET = /"msg":"rpc failed"/;
const NO_SPACE = /No space left on device|OutOfDiskSpace/;

/** How a process says that its engine is what is wrong. */
const SAID = /"level":"error".*"msg":"MongoDB rejects writes/;

type Heard = { met: Set<string>; said: Set<string> };

/** The pods that met the full disk, and those that said so, by their logs after a time. */
const hear = ({ cluster }: Deployment, since: string): Heard => {
  const heard: Heard = { met: new Set(), said: new Set() };
  for (const { plan } of cluster.nodes) {
    const root = podLogsOf(cluster.state, plan.name);
    for (const file of globSync('*/*/*.log', { cwd: root })) {
      // The directory is the namespace, the pod and its uid; each line begins with its time.
      const pod = file.split('_')[1] ?? '';
      for (const line of readFileSync(join(root, file), 'utf8').split('\n')) {
        if (line < since) continue;
        if (MET.test(line) && NO_SPACE.test(line)) heard.met.add(pod);
        if (SAID.test(line)) heard.said.add(pod);
      }
    }
  }
  return heard;
};

/** Observations while there is no space: responses of deposits with how often they came, and the processes that were not ready. */
type Seen = { answers: Record<string, number>; unready: Set<string> };

const watch = async ({ cluster, api }: Deployment, token: string): Promise<Seen> => {
  const seen: Seen = { answers: {}, unready: new Set() };
  const end = Date.now() + FULL_MS;
  while (Date.now() < end) {
    cluster.disk.fill();
    const answer = await api.call('POST', '/sandbox/deposits', { token, body: { token: 'EURe', amount: '1' } }).then(
      () => '200',
      (error: unknown) => (isRejection(error) ? `${error.status} ${error.code}` : String(error)),
    );
    seen.answers[answer] = (seen.answers[answer] ?? 0) + 1;
    for (const { process, ready } of await processPods(cluster)) if (!ready) seen.unready.add(process);
    await pause(POLL_MS);
  }
  return seen;
};

const problemsOf = (
  { answers, unready }: Seen,
  { met, said }: Heard,
  before: readonly PodState[],
  after: readonly PodState[],
): string[] => {
  const problems = Object.keys(answers)
    .filter((answer) => answer !== '200' && !DOCUMENTED.includes(answer))
    .map((answer) => `a response on a full disk was ${answer}`);
  for (const { name, process, restarts } of after) {
    // One that is not among the former ones is of the autoscaler.
    if (restarts > (before.find((pod) => pod.name === name)?.restarts ?? 0)) problems.push(`${name} was started again`);
    if (met.has(name) && !said.has(name)) problems.push(`the log of ${name} does not say that the engine rejects writes`);
    if (met.has(name) && !unready.has(process)) problems.push(`${process} was ready although its engine rejected writes`);
  }
  return met.size > 0 ? problems : [...problems, 'no process met the full disk, so nothing was shown'];
};

/**
 * The disk of the database is full, to the last page, and has space again. Meanwhile requests get a documented error, processes name the engine and are not ready, and none is
 * started again; afterwards everything that was confirmed is there.
 */
export const fullDisk: Stage = {
  name: 'disk',
  run: async (deployment) => {
    const { cluster, url, api, report } = deployment;
    const careful = createPersistentClient(url);
    const { token } = await registerPerson(fromOwnAddress(api));
    const [before, wanted] = [await processPods(cluster), await standing(deployment)];
    const people = openPeople(careful, PEOPLE);
    const since = new Date().toISOString();
    const ballast: Ballast = await insertBallast(cluster.engines.mongodbUri);
    let seen: Seen;
    try {
      seen = await watch(deployment, token);
    } finally {
      cluster.disk.release();
    }
    const ready = await recovered(deployment, wanted);
    const rejection = await ballast.remove();
    const { lives, problems } = await people.stop();
    const heard = hear(deployment, since);
    report(`the engine on a full disk: ${rejection ?? 'took all writes'}`);
    report(
      `deposits got ${JSON.stringify(seen.answers)}; ${[...heard.met].join(', ')} met it; not ready were ${[...seen.unready].join(', ')}`,
    );
    report(`ready ${(ready / 1000).toFixed(1)} s after there was space; ${lives.length} stories, ${careful.repeats()} repeated requests`);
    problems.push(...problemsOf(seen, heard, before, await processPods(cluster)));
    problems.push(...(await auditLives(careful, lives)));
    const journal = await auditJournal(cluster.engines);
    return [...problems, ...journal.problems];
  },
};
