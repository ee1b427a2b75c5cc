import { PROCESS_NAMES } from '../../../deploy/local/src/config.ts';
import { type Manifest, selects, workloadsOf } from '../manifest.ts';
import type { Policy } from './policy.ts';

const ofKind = (manifests: readonly Manifest[], kind: string): Manifest[] => manifests.filter((manifest) => manifest.kind === kind);

const named = (manifests: readonly Manifest[], kind: string, name: string): Manifest | undefined =>
  ofKind(manifests, kind).find(({ metadata }) => metadata.name === name);

export const availabilityPolicies: readonly Policy[] = [
  {
    name: 'every process has a workload: a StatefulSet for the ledger, Deployments for the others',
    check: ({ manifests }) =>
      PROCESS_NAMES.flatMap((name) => {
        const kind = name === 'ledger' ? 'StatefulSet' : 'Deployment';
        return named(manifests, kind, name) === undefined ? [`there is no ${kind} ${name}`] : [];
      }),
  },
  {
    name: 'one pod of the platform at a time may be evicted, and unhealthy ones always',
    check: ({ manifests }) => {
      const budgets = ofKind(manifests, 'PodDisruptionBudget');
      const perProcess = PROCESS_NAMES.map((process) => {
        const labels = workloadsOf(manifests).find(({ name }) => name === process)?.labels ?? {};
        return { process, selecting: budgets.filter(({ spec }) => selects(spec?.selector, labels)) };
      });
      const wrongCounts = perProcess.filter(({ selecting }) => selecting.length !== 1);
      const used = new Set(perProcess.flatMap(({ selecting }) => selecting));
      return [
        ...wrongCounts.map(({ process, selecting }) => `${process} has ${selecting.length} disruption budgets`),
        ...(used.size > 1 ? [`${used.size} disruption budgets let as many pods of the platform leave at a time`] : []),
        ...[...used]
          .filter(({ spec }) => spec?.maxUnavailable !== 1 || spec.unhealthyPodEvictionPolicy !== 'AlwaysAllow')
          .map(({ metadata }) => `the disruption budget ${metadata.name} is not maxUnavailable: 1, AlwaysAllow`),
      ];
    },
  },
  {
    name: 'stateless processes scale by themselves, ledger and chain do not',
    check: ({ manifests }) =>
      PROCESS_NAMES.flatMap((name) => {
        const scalers = ofKind(manifests, 'HorizontalPodAutoscaler').filter(({ spec }) => spec?.scaleTargetRef?.name === name);
        if (name === 'ledger' || name === 'chain')
          return scalers.length === 0 ? [] : [`${name} is scaled by load, which its shards or chains are not`];
        if (scalers.length !== 1) return [`${name} has ${scalers.length} autoscalers`];
        const replicas = named(manifests, 'Deployment', name)?.spec?.replicas;
        return replicas === undefined ? [] : [`${name} states replicas, which each apply would reset`];
      }),
  },
  {
    name: 'instances of the ledger find each other by stable names',
    check: ({ manifests }) => {
      const set = named(manifests, 'StatefulSet', 'ledger')?.spec;
      const peers = named(manifests, 'Service', set?.serviceName ?? '')?.spec;
      const env = set?.template?.spec.containers[0]?.env ?? [];
      const advertised = env.find(({ name }) => name === 'ADVERTISE_URL')?.value ?? '';
      return [
        ...(set?.podManagementPolicy === 'Parallel' ? [] : ['instances of the ledger wait for each other']),
        ...(peers?.clusterIP === 'None' && peers.publishNotReadyAddresses === true
          ? []
          : ['the names of ledgers are not published at once']),
        ...(advertised.includes(`$(POD_NAME).${set?.serviceName}.`) ? [] : ['ADVERTISE_URL is not the name of the pod']),
      ];
    },
  },
  {
    name: 'platform services can balance gRPC over pods',
    check: ({ manifests }) =>
      ['identity', 'card', 'ledger', 'threeds', 'chain', 'events'].flatMap((name) =>
        named(manifests, 'Service', `${name}-pods`)?.spec?.clusterIP === 'None' ? [] : [`there is no headless Service ${name}-pods`],
      ),
  },
];
