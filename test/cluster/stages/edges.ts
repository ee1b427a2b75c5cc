import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NAMESPACE } from '@florin/cluster';
import { PROCESS_NAMES } from '../../../deploy/local/src/config.ts';
import type { Labels, Manifest } from '../../../scripts/deploy/manifest.ts';
import { isAllowed } from '../../../scripts/deploy/policies/edges.ts';
import { idlePod, runInPod } from '../in-pod.ts';
import type { Stage } from './stage.ts';

const INTERNAL_PORT = 9090;
const STRANGER = 'stranger';

/** Pods that try their edges at the same time. */
const AT_ONCE = 4;

/** Connects to each address at once. Prints which of them accepted. */
const CONNECT = `
  import { connect } from 'node:net';
  const reaches = ([host, port]) => new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 3000 });
    const end = (reached) => { socket.destroy(); resolve(reached); };
    socket.once('connect', () => end(true)).once('error', () => end(false)).once('timeout', () => end(false));
  });
  console.log(JSON.stringify(await Promise.all(JSON.parse(process.argv[1]).map(reaches))));
`;

type Pod = {
  metadata: { name: string; labels: Labels; deletionTimestamp?: string };
  spec: { containers: { ports?: { name?: string; containerPort: number }[] }[] };
  status: { podIP?: string; phase: string };
};

type Target = { name: string; address: string; port: number; allowed: boolean };

/** Every pair of pods, and every port: what the policies allow works, and nothing else does. */
export const edges: Stage = {
  name: 'edges',
  run: async ({ cluster, report }) => {
    const { api, kubectl, state } = cluster;
    const file = join(state.path, 'stranger.json');
    writeFileSync(file, JSON.stringify(idlePod(STRANGER, {})));
    await kubectl(['apply', '-f', file]);
    await kubectl(['wait', '--for=condition=Ready', `pod/${STRANGER}`, `--namespace=${NAMESPACE}`, '--timeout=60s']);
    const policies = await api.get<{ items: Manifest[] }>(`/apis/networking.k8s.io/v1/namespaces/${NAMESPACE}/networkpolicies`);
    const manifests = policies.items.map((policy) => ({ ...policy, kind: 'NetworkPolicy' }));
    const { items } = await api.get<{ items: Pod[] }>(`/api/v1/namespaces/${NAMESPACE}/pods`);
    const running = items.filter(({ metadata, status }) => metadata.deletionTimestamp === undefined && status.phase === 'Running');
    const podsOf = (name: string): Pod[] => running.filter(({ metadata }) => metadata.labels['app.kubernetes.io/name'] === name);
    const servicePort = ({ spec }: Pod): number => spec.containers[0]?.ports?.find((port) => port.name !== 'internal')?.containerPort ?? 0;
    const targetsOf = (name: string, from: Pod): Target[] => {
      // A pod always reaches itself.
      const pod = podsOf(name).find(({ metadata }) => metadata.name !== from.metadata.name);
      if (pod === undefined) return [];
      return [servicePort(pod), INTERNAL_PORT].map((port) => ({
        name: `${name}:${port}`,
        address: pod.status.podIP ?? '',
        port,
        allowed: isAllowed(manifests, from.metadata.labels, pod.metadata.labels, port),
      }));
    };
    const kubernetes = await api.get<{ spec: { clusterIP: string } }>('/api/v1/namespaces/default/services/kubernetes');
    const api443: Target = { name: 'the API of Kubernetes', address: kubernetes.spec.clusterIP, port: 443, allowed: false };
    /** Describes wrong edges from a process, and lists those that it has. */
    const probe = async (name: string): Promise<{ targets: Target[]; problems: string[] }> => {
      const [from] = podsOf(name);
      if (from === undefined) throw new Error(`there is no pod of ${name}`);
      const targets = [...[...PROCESS_NAMES, 'mongodb', 'redis'].flatMap((other) => targetsOf(other, from)), api443];
      const addresses = JSON.stringify(targets.map(({ address, port }) => [address, port]));
      const reached = await runInPod<boolean[]>(cluster, from.metadata.name, CONNECT, addresses);
      const wrong = targets.filter(({ allowed }, index) => reached[index] !== allowed);
      return { targets, problems: wrong.map((target) => `${name} ${target.allowed ? 'cannot reach' : 'reaches'} ${target.name}`) };
    };
    const probes: Awaited<ReturnType<typeof probe>>[] = [];
    const names: string[] = [...PROCESS_NAMES, STRANGER];
    // Several at once, because a blocked edge is known by a connection that times out; not all, for the processors' sake.
    while (names.length > 0) probes.push(...(await Promise.all(names.splice(0, AT_ONCE).map(probe))));
    const targets = probes.flatMap((found) => found.targets);
    const problems = probes.flatMap((found) => found.problems);
    const open = targets.filter(({ allowed }) => allowed).length;
    const closed = targets.length - open;
    await kubectl(['delete', 'pod', STRANGER, `--namespace=${NAMESPACE}`]);
    report(
      `network policies: ${open} edges work, ${closed} others are blocked${problems.length === 0 ? '' : `, but for ${problems.length}`}`,
    );
    if (open === 0 || closed === 0) problems.push('the matrix has only one kind of edge, so it shows nothing');
    return problems;
  },
};
