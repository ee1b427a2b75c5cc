import { NAMESPACE, rolledOut, WORKLOADS } from '@florin/cluster';
import { pause } from '@florin/rpc/time';
import { processPods } from '../pods.ts';
import { eventCatalogues } from './event-catalogues.ts';
import type { Deployment, Stage } from './stage.ts';
import { failuresOf, underTraffic } from './under-traffic.ts';

const DRAIN_TIMEOUT_MS = 180_000;
const EVICTION_POLL_MS = 250;

const allReady = async ({ cluster }: Deployment): Promise<void> => {
  for (const workload of WORKLOADS) await rolledOut(cluster, workload);
};

/** Services that are rolled at the same time: few of them call each other, so that what one shows is not hidden by the other. */
const ROLLS: readonly (readonly (typeof WORKLOADS)[number][])[] = [
  ['deployment/identity', 'deployment/vault'],
  ['deployment/card', 'deployment/chain', 'deployment/events'],
  ['deployment/threeds', 'deployment/webhooks', 'deployment/back-office'],
  ['deployment/settlement'],
  ['deployment/notifications'],
  ['statefulset/ledger', 'deployment/gateway'],
];

/** Every service is rolled without a failed request, and events may know fewer or more types than those that it is sent. */
export const rollingUpdates: Stage = {
  name: 'updates',
  run: async (deployment) => {
    const { cluster, report } = deployment;
    const problems: string[] = [];
    const missing = WORKLOADS.filter((workload) => ROLLS.every((roll) => !roll.includes(workload)));
    if (missing.length > 0) problems.push(`no roll of ${missing.join(', ')}`);
    for (const roll of ROLLS) {
      const names = roll.join(' and ');
      const { result, problems: wrong } = await underTraffic(deployment, `rolling ${names}`, async () => {
        await cluster.kubectl(['rollout', 'restart', ...roll, `--namespace=${NAMESPACE}`]);
        for (const workload of roll) await rolledOut(cluster, workload);
      });
      problems.push(...failuresOf(`the update of ${names}`, result), ...wrong);
    }
    const slowest = new Map<string, number>();
    // The pods that this stage has started: one that is ending is of the deployment, when all start at once.
    const rolled = (await processPods(cluster)).filter(({ ending }) => !ending);
    for (const { process, readyAfterMs = 0 } of rolled) {
      slowest.set(process, Math.max(slowest.get(process) ?? 0, readyAfterMs / 1000));
    }
    const starts = [...slowest].sort(([, a], [, b]) => b - a).map(([process, took]) => `${process} ${took} s`);
    report(`from the start of a pod to its readiness, at most: ${starts.join(', ')}`);
    return [...problems, ...(await eventCatalogues(deployment))];
  },
};

type Pod = { metadata: { name: string; namespace: string; deletionTimestamp?: string; ownerReferences?: { kind: string }[] } };

/**
 * Moves the pods of a node to others, as `kubectl drain` does, but asks four times a second rather than every five seconds whether the budget allows the
 * next one: the harder case, because the pods leave as fast as they may.
 */
const empty = async ({ cluster: { api, kubectl } }: Deployment, node: string): Promise<void> => {
  await kubectl(['cordon', node]);
  const deadline = Date.now() + DRAIN_TIMEOUT_MS;
  for (;;) {
    const { items } = await api.get<{ items: Pod[] }>(`/api/v1/pods?fieldSelector=spec.nodeName=${node}`);
    const pods = items.filter(({ metadata: { ownerReferences = [] } }) => ownerReferences.every(({ kind }) => kind !== 'DaemonSet'));
    if (pods.length === 0) return;
    for (const { metadata } of pods) {
      if (metadata.deletionTimestamp === undefined) await api.evict(metadata.namespace, metadata.name);
    }
    if (Date.now() > deadline) throw new Error(`${node} still has ${pods.map(({ metadata }) => metadata.name).join(', ')}`);
    await pause(EVICTION_POLL_MS);
  }
};

/** A node is drained without a failed request, and every pod moves to the other one. */
export const drain: Stage = {
  name: 'drain',
  run: async (deployment) => {
    const { cluster } = deployment;
    const { result, problems } = await underTraffic(deployment, 'draining node2', async () => {
      await empty(deployment, 'node2');
      await allReady(deployment);
    });
    const left = (await processPods(cluster)).filter(({ node, ending }) => node === 'node2' && !ending);
    await cluster.kubectl(['uncordon', 'node2']);
    if (left.length > 0) problems.push(`node2 still has ${left.map(({ name }) => name).join(', ')}`);
    return [...failuresOf('the drain of a node', result), ...problems];
  },
};

/** Each roll ends two gateways, so that one of several may fail no request. */
const MAX_ABRUPT_ROLLS = 5;

/** Requests per second. At the rate of the other rolls less than one request is under way when a gateway ends; with many more, two cores are overloaded. */
const ABRUPT_RATE = 100;

const ABRUPT = { lifecycle: null, env: [{ name: 'DRAIN_SECONDS', value: '0' }] };

/** The control: without the pause before its end, and without draining, a roll of the gateway must lose requests. The last stage, because it leaves the gateway so. */
export const abruptUpdate: Stage = {
  name: 'control',
  run: async (deployment) => {
    const { cluster } = deployment;
    const path = `/apis/apps/v1/namespaces/${NAMESPACE}/deployments/gateway`;
    await cluster.api.patch(path, { spec: { template: { spec: { containers: [{ name: 'main', ...ABRUPT }] } } } });
    await rolledOut(cluster, 'deployment/gateway');
    for (let count = 1; count <= MAX_ABRUPT_ROLLS; count += 1) {
      const roll = async (): Promise<void> => {
        await cluster.kubectl(['rollout', 'restart', 'deployment/gateway', `--namespace=${NAMESPACE}`]);
        await rolledOut(cluster, 'deployment/gateway');
      };
      const what = `the control, rolling the gateway at ${ABRUPT_RATE}/s without preStop and draining`;
      const { result } = await underTraffic(deployment, what, roll, ABRUPT_RATE);
      // An answer of a gateway, such as a timeout behind it, tells nothing about its end.
      if (result.unanswered > 0) return [];
    }
    return [`${MAX_ABRUPT_ROLLS} rolls without preStop lost no request, so the other rolls show nothing`];
  },
};
