import { PROCESS_NAMES, type ProcessName } from '../../../deploy/local/src/config.ts';
import { type Labels, type Manifest, type Rule, selects, workloadsOf } from '../manifest.ts';
import { environmentOf } from './configuration.ts';
import type { Policy } from './policy.ts';

/** The calls between processes: those of the picture in docs/architecture.md, and those that its text adds. */
const CALLS: Readonly<Record<ProcessName, readonly ProcessName[]>> = {
  gateway: ['identity', 'card', 'ledger', 'threeds', 'vault', 'chain', 'events', 'notifications'],
  identity: ['card', 'ledger', 'threeds', 'vault', 'events', 'notifications'],
  card: ['identity', 'ledger', 'threeds', 'vault', 'events'],
  ledger: ['ledger', 'identity', 'events'],
  threeds: ['identity', 'card', 'ledger', 'events'],
  vault: ['identity', 'card', 'ledger', 'events'],
  chain: ['identity', 'ledger', 'events', 'settlement'],
  events: ['identity', 'ledger'],
  webhooks: ['identity'],
  settlement: ['identity', 'card', 'ledger'],
  notifications: ['identity', 'card', 'threeds', 'events'],
  'back-office': ['identity', 'card', 'ledger', 'threeds', 'chain', 'events', 'settlement'],
};

/** Processes that platform services of the operator call: those of the label `florin/calls-<process>`. */
const CALLED_BY_LABEL: readonly ProcessName[] = ['identity', 'card', 'ledger', 'threeds', 'chain', 'events', 'settlement'];

/** Processes that reach systems outside of the cluster. Not the vault: whoever has it must find no way out. */
const WITH_OUTSIDE: readonly ProcessName[] = ['identity', 'card', 'ledger', 'threeds', 'chain', 'webhooks', 'notifications', 'back-office'];

/** The name of a host. A pattern is as good as a name if only its first label is open. */
const NAME = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/;

/** Reports whether a rule leads to addresses of any network. */
const leadsToAny = ({ to, toFQDNs, toEntities }: Rule): boolean =>
  toEntities !== undefined ||
  toFQDNs?.some(({ matchName, matchPattern = '' }) => !NAME.test(matchName ?? matchPattern.replace(/^\*\./, ''))) === true ||
  to?.some(({ ipBlock }) => ipBlock?.cidr?.endsWith('/0') === true) === true;

/** Reports whether a rule leads to systems outside of the cluster. */
const leadsOutside = (rule: Rule): boolean => leadsToAny(rule) || rule.toFQDNs !== undefined;

const isPolicy = ({ kind }: Manifest): boolean => kind === 'NetworkPolicy';

/** The rules by which a process opens connections, those of Cilium's policies too. */
const egressOf = (manifests: readonly Manifest[], name: string): Rule[] => {
  const own = labelsOf(manifests, name);
  return manifests
    .filter(({ kind, spec }) => {
      if (kind === 'CiliumNetworkPolicy') return selects(spec?.endpointSelector, own);
      return kind === 'NetworkPolicy' && selects(spec?.podSelector, own);
    })
    .flatMap(({ spec }) => spec?.egress ?? []);
};

const permits = (rules: readonly Rule[], other: Labels, port: number): boolean =>
  rules.some(({ from, to, ports }) => {
    const peers = from ?? to;
    const isPeer =
      peers === undefined ||
      peers.some(({ podSelector, namespaceSelector, ipBlock }) => {
        if (ipBlock !== undefined || namespaceSelector !== undefined) return false;
        return selects(podSelector, other);
      });
    return isPeer && (ports === undefined || ports.some((one) => one.port === undefined || one.port === port));
  });

type Side = 'Ingress' | 'Egress';

/** Reports whether the policies of one end of a connection allow it. A pod that no policy of that direction selects allows everything. */
const sideAllows = (manifests: readonly Manifest[], direction: Side, own: Labels, other: Labels, port: number): boolean => {
  const policies = manifests.filter(
    (manifest) => isPolicy(manifest) && manifest.spec?.policyTypes?.includes(direction) === true && selects(manifest.spec.podSelector, own),
  );
  const rules = policies.flatMap(({ spec }) => (direction === 'Ingress' ? spec?.ingress : spec?.egress) ?? []);
  return policies.length === 0 || permits(rules, other, port);
};

/** Reports whether the policies let one pod of the namespace open a connection to another one: by the rules of Kubernetes, both ends must allow it. */
export const isAllowed = (manifests: readonly Manifest[], from: Labels, to: Labels, port: number): boolean =>
  sideAllows(manifests, 'Egress', from, to, port) && sideAllows(manifests, 'Ingress', to, from, port);

const labelsOf = (manifests: readonly Manifest[], name: string): Labels =>
  workloadsOf(manifests).find((one) => one.name === name)?.labels ?? {};

const portOf = (manifests: readonly Manifest[], name: string): number =>
  workloadsOf(manifests)
    .find((one) => one.name === name)
    ?.pod.containers[0]?.ports?.find((port) => port.name === 'grpc' || port.name === 'http')?.containerPort ?? 0;

/** The ports of the proxy, which each belong to one process. */
const proxyPorts = (manifests: readonly Manifest[]): number[] =>
  workloadsOf(manifests)
    .find(({ name }) => name === 'outside-proxy')
    ?.pod.containers[0]?.ports?.map(({ containerPort }) => containerPort) ?? [];

/** Addresses of the platform itself, as others use them. */
const OWN = new Set(['PUBLIC_URL', 'BACK_OFFICE_URL', 'ADVERTISE_URL', 'APP_URL']);

/** The host of a variable that has an address outside of the cluster, whose processes have names without a dot. */
const hostOf = ([variable, value]: readonly [string, string]): string[] => {
  const [, host = ''] = /^https:\/\/([^/:]+)/.exec(value) ?? [];
  return host.includes('.') && !OWN.has(variable) ? [host] : [];
};

/** The hosts to which the proxy of components/outside-proxy connects a process, by the configuration of its port. A pattern is written as in `toFQDNs`. */
const proxiedHosts = (manifests: readonly Manifest[], environment: ReadonlyMap<string, string>): string[] => {
  const [, port = ''] = /^http:\/\/outside-proxy:(\d+)$/.exec(environment.get('HTTPS_PROXY') ?? '') ?? [];
  const config = manifests.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.startsWith('outside-proxy'));
  const lines = (config?.data?.['egress.conf'] ?? '').split('\n').map((line) => line.split(' '));
  const [, , name = ''] = lines.find(([directive, number]) => directive === 'http_port' && number === port) ?? [];
  const process = name.replace('name=', '');
  const isAllowed = (list: string): boolean =>
    lines.some(([directive, does, who, what]) => directive === 'http_access' && does === 'allow' && who === process && what === list);
  return lines.flatMap(([directive, list = '', type, , ...hosts]) =>
    directive === 'acl' && type === 'dstdomain' && isAllowed(list) ? hosts.map((host) => host.replace(/^\./, '*.')) : [],
  );
};

export const edgePolicies: readonly Policy[] = [
  {
    name: 'everything is denied that is not allowed by name',
    check: ({ manifests }) => {
      const isDefault = ({ spec }: Manifest): boolean =>
        Object.keys(spec?.podSelector ?? {}).length === 0 &&
        spec?.ingress === undefined &&
        spec?.egress === undefined &&
        ['Ingress', 'Egress'].every((type) => spec?.policyTypes?.includes(type));
      return manifests.some((manifest) => isPolicy(manifest) && isDefault(manifest))
        ? []
        : ['there is no NetworkPolicy that denies everything'];
    },
  },
  {
    name: 'processes can reach those that they call, and no others',
    check: ({ manifests }) =>
      PROCESS_NAMES.flatMap((from) =>
        PROCESS_NAMES.flatMap((to) => {
          const [own, other, port] = [labelsOf(manifests, from), labelsOf(manifests, to), portOf(manifests, to)];
          const wanted = CALLS[from].includes(to);
          // Each end by itself, so that neither relies on the other.
          const ends = {
            'may not call': sideAllows(manifests, 'Egress', own, other, port),
            'is not admitted by': sideAllows(manifests, 'Ingress', other, own, port),
          };
          return Object.entries(ends).flatMap(([how, allowed]) => {
            if (allowed === wanted) return [];
            return [wanted ? `${from} ${how} ${to}` : `${from} reaches ${to} as far as one end is concerned, and never calls it`];
          });
        }),
      ),
  },
  {
    name: 'a platform service with the label of a process reaches that one only, and no label leads to the vault',
    check: ({ manifests }) =>
      PROCESS_NAMES.flatMap((label) =>
        PROCESS_NAMES.flatMap((to) => {
          const wanted = label === to && CALLED_BY_LABEL.includes(to);
          const caller = { 'app.kubernetes.io/name': 'processor', [`florin/calls-${label}`]: 'true' };
          const allowed = isAllowed(manifests, caller, labelsOf(manifests, to), portOf(manifests, to));
          return allowed === wanted
            ? []
            : [`a platform service labelled florin/calls-${label} ${wanted ? 'cannot reach' : 'reaches'} ${to}`];
        }),
      ),
  },
  {
    name: 'only processes that have systems outside reach them, and never the vault',
    check: ({ manifests }) =>
      PROCESS_NAMES.filter((name) => !WITH_OUTSIDE.includes(name)).flatMap((name) =>
        egressOf(manifests, name).some(leadsOutside) ? [`${name} reaches addresses outside of the cluster`] : [],
      ),
  },
  {
    name: 'outside of the sandbox, processes reach the systems outside that their configuration names, and only webhooks others',
    check: ({ sandbox, manifests }) =>
      sandbox
        ? []
        : PROCESS_NAMES.flatMap((name) => {
            const rules = egressOf(manifests, name);
            const workload = workloadsOf(manifests).find((one) => one.name === name);
            const environment = workload === undefined ? new Map<string, string>() : environmentOf(manifests, workload);
            const proxied = proxiedHosts(manifests, environment);
            const named = new Set([...proxied, ...rules.flatMap(({ toFQDNs = [] }) => toFQDNs.map(({ matchName }) => matchName))]);
            const configured = [...environment].flatMap(hostOf);
            const open = proxied.filter((host) => !NAME.test(host.replace(/^\*\./, '')));
            return [
              ...open.map((host) => `${name} reaches ${host} by the proxy, which is no name`),
              ...(name !== 'webhooks' && rules.some(leadsToAny) ? [`${name} reaches any address outside of the cluster`] : []),
              ...configured.filter((host) => !named.has(host)).map((host) => `${name} is configured for ${host} and may not reach it`),
            ];
          }),
  },
  {
    name: 'a process reaches its own port of the proxy, and no port of another one, and the vault none',
    check: ({ manifests }) => {
      const ports = proxyPorts(manifests);
      const proxy = labelsOf(manifests, 'outside-proxy');
      return PROCESS_NAMES.flatMap((name) => {
        const workload = workloadsOf(manifests).find((one) => one.name === name);
        const own = workload === undefined ? '' : (environmentOf(manifests, workload).get('HTTPS_PROXY') ?? '');
        const labels = labelsOf(manifests, name);
        return ports.flatMap((port) => {
          const wanted = own === `http://outside-proxy:${port}`;
          const ends = [sideAllows(manifests, 'Egress', labels, proxy, port), sideAllows(manifests, 'Ingress', proxy, labels, port)];
          return ends.every((allowed) => allowed === wanted)
            ? []
            : [`${name} ${wanted ? 'cannot reach its' : 'reaches the'} port ${port} of the proxy`];
        });
      });
    },
  },
  {
    name: 'strangers reach no process, and internal ports are for monitoring only',
    check: ({ manifests }) =>
      PROCESS_NAMES.flatMap((to) => {
        const target = labelsOf(manifests, to);
        const admits = (from: Labels, port: number): boolean => sideAllows(manifests, 'Ingress', target, from, port);
        const stranger = admits({ 'app.kubernetes.io/name': 'stranger' }, portOf(manifests, to));
        const neighbours = PROCESS_NAMES.filter((from) => admits(labelsOf(manifests, from), 9090));
        return [
          ...(stranger ? [`any pod can reach ${to}`] : []),
          ...neighbours.map((from) => `${from} can reach the internal port of ${to}`),
        ];
      }),
  },
];
