import { type Container, isProcess, type Workload, workloadsOf } from '../manifest.ts';
import type { Policy } from './policy.ts';

/** Makes a policy about every workload. */
const forWorkloads = (name: string, check: (workload: Workload) => (string | false | undefined)[]): Policy => ({
  name,
  check: ({ manifests }) =>
    workloadsOf(manifests).flatMap((workload) =>
      check(workload).flatMap((problem) => (typeof problem === 'string' ? [`${workload.kind} ${workload.name}: ${problem}`] : [])),
    ),
});

const containersOf = ({ pod }: Workload): Container[] => [...pod.containers, ...(pod.initContainers ?? [])];

const isLongLived = ({ kind }: Workload): boolean => kind === 'Deployment' || kind === 'StatefulSet';

const UNITS: Readonly<Record<string, number>> = { Mi: 1, Gi: 1024 };

/** A quantity of memory in MiB; undefined for one in another unit. */
const mebibytes = (quantity: string | undefined): number | undefined => {
  const [, number = '', unit = ''] = /^(\d+)(Mi|Gi)$/.exec(quantity ?? '') ?? [];
  const factor = UNITS[unit];
  return factor === undefined ? undefined : Number(number) * factor;
};

const HEAP_FLAG = '--max-old-space-size=';

/** The part of a memory limit that the old generation of the heap may fill: buffers, code and the young generation need the rest. */
const HEAP_SHARE = 0.7;

const heapProblem = (workload: Workload): string | undefined => {
  const [container] = workload.pod.containers;
  const limit = mebibytes(container?.resources?.limits?.['memory']);
  const heap = container?.args?.find((arg) => arg.startsWith(HEAP_FLAG))?.slice(HEAP_FLAG.length);
  if (!isProcess(workload.name) || limit === undefined) return undefined;
  if (heap === undefined) return `has no ${HEAP_FLAG}`;
  return Number(heap) > HEAP_SHARE * limit ? `a heap of ${heap} MiB does not fit into a limit of ${limit} MiB` : undefined;
};

/** `preStop` + `DRAIN_SECONDS` + the time that a process has for its stop must fit into the grace period. */
const DRAIN_SECONDS = 5;
const STOP_SECONDS = 8;

export const podPolicies: readonly Policy[] = [
  forWorkloads('pods are restricted: no root, no privileges, a read-only root file system, nothing of the node', (workload) => [
    [workload.pod.hostNetwork, workload.pod.hostPID, workload.pod.hostIPC].includes(true) && 'is in a namespace of its node',
    workload.pod.volumes?.some(({ hostPath }) => hostPath !== undefined) && 'has files of its node',
    workload.pod.securityContext?.runAsNonRoot !== true && 'may run as root',
    workload.pod.securityContext?.runAsUser === 0 && 'runs as root',
    workload.pod.securityContext?.seccompProfile?.type !== 'RuntimeDefault' && 'has no seccomp profile',
    ...containersOf(workload).flatMap(({ securityContext }) => [
      securityContext?.readOnlyRootFilesystem !== true && 'can write to its root file system',
      securityContext?.allowPrivilegeEscalation !== false && 'may escalate its privileges',
      securityContext?.privileged === true && 'is privileged',
      securityContext?.capabilities?.drop?.includes('ALL') !== true && 'keeps capabilities',
    ]),
  ]),
  {
    name: 'the namespace enforces the restricted Pod Security Standard',
    check: ({ manifests }) => {
      const spaces = manifests.filter(({ kind }) => kind === 'Namespace');
      const isRestricted = spaces.every(({ metadata }) => metadata.labels?.['pod-security.kubernetes.io/enforce'] === 'restricted');
      return spaces.length > 0 && isRestricted ? [] : ['the namespace does not enforce `restricted`'];
    },
  },
  forWorkloads('processes have startup, readiness and liveness probes, and liveness asks no engine', (workload) => {
    const [container] = workload.pod.containers;
    if (!isLongLived(workload) || container === undefined) return [];
    const { startupProbe, readinessProbe, livenessProbe } = container;
    return [
      startupProbe === undefined && 'has no startup probe',
      readinessProbe === undefined && 'has no readiness probe',
      livenessProbe === undefined && 'has no liveness probe',
      isProcess(workload.name) && livenessProbe?.httpGet?.path !== '/health/live' && 'liveness is not /health/live',
      isProcess(workload.name) &&
        startupProbe?.httpGet?.path !== '/health/live' &&
        'startup is not /health/live: without engines it would be killed',
      isProcess(workload.name) && readinessProbe?.httpGet?.path !== '/health/ready' && 'readiness is not /health/ready',
      ...[startupProbe, readinessProbe, livenessProbe].map(
        (probe) => isProcess(workload.name) && probe?.httpGet?.port !== 'internal' && 'a probe is not on the internal port',
      ),
    ];
  }),
  forWorkloads('processes are spread over zones and hosts', ({ name, pod }) => {
    const keys = (pod.topologySpreadConstraints ?? []).map(({ topologyKey }) => topologyKey);
    return isProcess(name)
      ? ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'].map((key) => !keys.includes(key) && `is not spread by ${key}`)
      : [];
  }),
  {
    name: 'each workload has a service account of its own, without a token',
    check: ({ manifests }) => {
      const accounts = new Map(
        manifests.filter(({ kind }) => kind === 'ServiceAccount').map((account) => [account.metadata.name, account]),
      );
      return workloadsOf(manifests).flatMap((workload) => {
        const { serviceAccountName = 'default', automountServiceAccountToken, enableServiceLinks } = workload.pod;
        const problems = [
          accounts.get(serviceAccountName)?.automountServiceAccountToken !== false &&
            `its service account ${serviceAccountName} has a token`,
          isLongLived(workload) && serviceAccountName !== workload.name && 'has the service account of another workload',
          automountServiceAccountToken !== false && 'mounts a token',
          enableServiceLinks !== false && 'gets the addresses of all services as variables',
        ];
        return problems.flatMap((problem) => (problem === false ? [] : [`${workload.kind} ${workload.name}: ${problem}`]));
      });
    },
  },
  forWorkloads('containers have requests, a limit of memory and a heap below it', (workload) => [
    ...containersOf(workload).flatMap(({ resources }) => [
      resources?.requests?.['cpu'] === undefined && 'requests no processor time',
      mebibytes(resources?.requests?.['memory']) === undefined && 'requests no memory',
      mebibytes(resources?.limits?.['memory']) === undefined && 'has no limit of memory',
    ]),
    heapProblem(workload),
  ]),
  forWorkloads('processes leave load balancers before they stop', ({ name, pod }) => {
    const preStop = pod.containers[0]?.lifecycle?.preStop?.sleep?.seconds ?? 0;
    const grace = pod.terminationGracePeriodSeconds ?? 30;
    if (!isProcess(name)) return [];
    return [
      preStop < 5 && 'sleeps less than 5 s before it stops',
      grace < preStop + DRAIN_SECONDS + STOP_SECONDS + 5 && `a grace period of ${grace} s is too short`,
    ];
  }),
  {
    name: 'images have versions, and outside of the sandbox digests',
    check: ({ manifests, sandbox }) =>
      workloadsOf(manifests).flatMap((workload) =>
        containersOf(workload).flatMap(({ image = '' }) => {
          if (/@sha256:[0-9a-f]{64}$/.test(image)) return [];
          const tag = /:([^/:]+)$/.exec(image)?.[1];
          if (tag === undefined || tag === 'latest') return [`${workload.name}: the image ${image} has no version`];
          return sandbox ? [] : [`${workload.name}: the image ${image} has no digest`];
        }),
      ),
  },
];
