import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createKubeApi, type KubeApi } from './api.ts';
import { createKubectl, type Kubectl } from './kubectl.ts';
import { NAMESPACE, NODES, OUTSIDE_ADDRESS, type StateDir } from './layout.ts';
import { createCgroups } from './namespaces/cgroups.ts';
import { routeServices } from './namespaces/network.ts';
import { startCertManager } from './nodes/cert-manager.ts';
import { authorityFile, startApi, startControllers, writePki } from './nodes/control-plane.ts';
import { type ClusterNode, startNode } from './nodes/node.ts';
import { keepPodLogs } from './nodes/pod-logs.ts';
import { createProcesses } from './nodes/processes.ts';
import { enforcePolicies } from './policies/enforce-policies.ts';
import { type Programs, programEnvironment } from './programs/programs.ts';
import type { Report } from './report.ts';
import { until } from './until.ts';

const API_TIMEOUT_MS = 120_000;
const NODES_TIMEOUT_MS = 120_000;

const MANIFESTS = join(import.meta.dirname, '../manifests');

type ClusterOptions = {
  state: StateDir;
  programs: Programs;
  /** Archives of the images that every node knows. */
  images: readonly string[];
  /** Ports of loopback by the port under which pods reach them at the outside address. */
  published: Readonly<Record<number, number>>;
  env: NodeJS.ProcessEnv;
  report: Report;
  signal: AbortSignal;
};

export type Cluster = {
  api: KubeApi;
  kubectl: Kubectl;
  nodes: readonly ClusterNode[];
  /** @throws Error when a program of the cluster has ended */
  check: () => void;
};

type NodeList = { items: { status: { conditions: { type: string; status: string }[] } }[] };

/**
 * Starts a Kubernetes cluster of two nodes, with a name server and enforced network policies. It must run inside of the namespaces of
 * `runInNamespaces`, whose end ends it, after `openOutside`.
 * @throws Error when it does not start
 */
export const startCluster = async (options: ClusterOptions): Promise<Cluster> => {
  const { state, programs, images, published, report, signal } = options;
  const env = programEnvironment(programs, options.env);
  for (const path of [state.path, state.logs]) mkdirSync(path, { recursive: true, mode: 0o700 });
  const processes = createProcesses(state.logs);
  createCgroups();
  for (const [port, target] of Object.entries(published)) {
    const addresses = { RELAY_LISTEN: `${OUTSIDE_ADDRESS}:${port}`, RELAY_TARGET: `127.0.0.1:${target}` };
    processes.start(`relay-${port}`, ['relay'], { ...env, ...addresses });
  }
  writePki(state);
  startApi(state, processes, env);
  const kubectl = createKubectl(state, env);
  const api = await until(
    'the start of the API',
    async () => {
      const started = createKubeApi(authorityFile(state));
      await started.get<unknown>('/api/v1/namespaces/kube-system');
      return started;
    },
    API_TIMEOUT_MS,
    processes.check,
  );
  report('the API is up');
  startControllers(state, processes, env);
  await startCertManager(NAMESPACE, { state, programs, processes, kubectl, env });
  const nodes: ClusterNode[] = [];
  for (const plan of NODES) nodes.push(await startNode(plan, { state, programs, processes, env }));
  keepPodLogs(
    state,
    NODES.map(({ name }) => name),
  );
  await routeServices();
  await Promise.all(
    nodes.map(async ({ importImages }) => {
      for (const archive of images) await importImages(archive);
    }),
  );
  report('the nodes know the images');
  enforcePolicies(nodes, { api, state, env, report, signal });
  await kubectl(['apply', '-f', join(MANIFESTS, 'system.yaml')]);
  await until(
    'the readiness of the nodes',
    async () => {
      const { items } = await api.get<NodeList>('/api/v1/nodes');
      const isReady = (conditions: { type: string; status: string }[]): boolean =>
        conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
      return items.filter(({ status }) => isReady(status.conditions)).length === NODES.length ? true : undefined;
    },
    NODES_TIMEOUT_MS,
    processes.check,
  );
  await kubectl(['rollout', 'status', 'daemonset/dns', '--namespace=kube-system', '--timeout=60s']);
  report(`the cluster has ${NODES.length} nodes and a name server`);
  return { api, kubectl, nodes, check: processes.check };
};
