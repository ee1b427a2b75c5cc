import { type Cluster, NAMESPACE, processesOfPod } from '@florin/cluster';
import { isProcess } from '../../scripts/deploy/manifest.ts';

type Pod = {
  metadata: { name: string; uid: string; labels: Record<string, string>; deletionTimestamp?: string };
  spec: { nodeName?: string; containers: { ports?: { name?: string; containerPort: number }[] }[] };
  status: {
    podIP?: string;
    conditions?: { type: string; status: string; lastTransitionTime: string }[];
    containerStatuses?: { containerID?: string; restartCount: number; state: { running?: { startedAt: string } } }[];
  };
};

/** A pod of the platform. */
export type PodState = {
  name: string;
  uid: string;
  process: string;
  node: string;
  address: string;
  ready: boolean;
  ending: boolean;
  /** Of metrics and probes. */
  internalPort?: number | undefined;
  /** Of RPCs; undefined if it serves none. */
  grpcPort?: number | undefined;
  /** How often the process was started again. */
  restarts: number;
  /** From the start of the container to its readiness, in milliseconds (of whole seconds). */
  readyAfterMs?: number;
};

const portOf = ({ containers: [main] }: Pod['spec'], named: string): number | undefined =>
  main?.ports?.find(({ name }) => name === named)?.containerPort;

const stateOf = ({ metadata, spec, status }: Pod): PodState => {
  const ready = status.conditions?.find(({ type }) => type === 'Ready');
  const started = status.containerStatuses?.[0]?.state.running?.startedAt;
  const isReady = ready?.status === 'True';
  return {
    name: metadata.name,
    uid: metadata.uid,
    process: metadata.labels['app.kubernetes.io/name'] ?? '',
    node: spec.nodeName ?? '',
    address: status.podIP ?? '',
    internalPort: portOf(spec, 'internal'),
    grpcPort: portOf(spec, 'grpc'),
    ready: isReady && metadata.deletionTimestamp === undefined,
    ending: metadata.deletionTimestamp !== undefined,
    restarts: status.containerStatuses?.[0]?.restartCount ?? 0,
    ...(isReady && started !== undefined ? { readyAfterMs: Date.parse(ready.lastTransitionTime) - Date.parse(started) } : {}),
  };
};

/** The pods of the processes; engines and jobs are not among them. */
export const processPods = async ({ api }: Pick<Cluster, 'api'>): Promise<PodState[]> => {
  const selector = encodeURIComponent('app.kubernetes.io/part-of=florin');
  const { items } = await api.get<{ items: Pod[] }>(`/api/v1/namespaces/${NAMESPACE}/pods?labelSelector=${selector}`);
  return items.map(stateOf).filter(({ process }) => isProcess(process));
};

/** Kills the processes of a pod with SIGKILL, and deletes it: no load balancer is told before. */
export const killPod = async ({ api }: Pick<Cluster, 'api'>, { name, uid, node }: PodState): Promise<void> => {
  for (const pid of processesOfPod(node, uid)) process.kill(pid, 'SIGKILL');
  await api.delete(`/api/v1/namespaces/${NAMESPACE}/pods/${name}`, { gracePeriodSeconds: 0 });
};
