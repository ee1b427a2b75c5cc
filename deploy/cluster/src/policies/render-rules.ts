import { selects } from '../../../../scripts/deploy/manifest.ts';
import type { ClusterObjects, PeerObject, PodObject, PolicyObject, PortObject, RuleObject } from './objects.ts';

type Direction = 'Ingress' | 'Egress';

const TABLE = 'ip network_policies';

const set = (values: Iterable<string>): string => `{ ${[...new Set(values)].sort().join(', ')} }`;

const addressOf = ({ status }: PodObject): string => status.podIP ?? '';

/** Pods whose address is in use: a completed pod has given it back. */
const livePods = ({ pods }: ClusterObjects): PodObject[] =>
  pods.filter(({ spec, status }) => {
    const isOver = status.phase === 'Succeeded' || status.phase === 'Failed';
    return status.podIP !== undefined && spec.hostNetwork !== true && !isOver;
  });

/** The expressions that match the address of a peer; none when no pod is such a peer. */
const matchPeer = (
  side: string,
  { ipBlock, podSelector, namespaceSelector }: PeerObject,
  home: string,
  objects: ClusterObjects,
): string[] => {
  if (ipBlock !== undefined) {
    const { cidr, except = [] } = ipBlock;
    return [`ip ${side} ${cidr}${except.length === 0 ? '' : ` ip ${side} != ${set(except)}`}`];
  }
  const isHome = (namespace: string): boolean =>
    namespaceSelector === undefined
      ? namespace === home
      : objects.namespaces.some(({ metadata }) => metadata.name === namespace && selects(namespaceSelector, metadata.labels ?? {}));
  const peers = livePods(objects).filter(({ metadata }) => isHome(metadata.namespace) && selects(podSelector, metadata.labels ?? {}));
  return peers.length === 0 ? [] : [`ip ${side} ${set(peers.map(addressOf))}`];
};

/** The expressions that match a port. A name stands for the ports that the pods, the ends that receive, give it. */
const matchPort = ({ port, endPort, protocol = 'TCP' }: PortObject, receivers: readonly PodObject[]): string[] => {
  const transport = protocol.toLowerCase();
  if (port === undefined) return [`meta l4proto ${transport}`];
  if (typeof port === 'number') return [`${transport} dport ${port}${endPort === undefined ? '' : `-${endPort}`}`];
  const named = receivers.flatMap(({ spec }) => spec.containers.flatMap(({ ports = [] }) => ports.filter(({ name }) => name === port)));
  return named.length === 0 ? [] : [`${transport} dport ${set(named.map(({ containerPort }) => String(containerPort)))}`];
};

const rulesOf = (
  direction: Direction,
  policy: PolicyObject,
  rule: RuleObject,
  own: readonly PodObject[],
  objects: ClusterObjects,
): string[] => {
  const [ownSide, otherSide] = direction === 'Ingress' ? ['daddr', 'saddr'] : ['saddr', 'daddr'];
  const peers = direction === 'Ingress' ? rule.from : rule.to;
  const matches =
    peers === undefined || peers.length === 0
      ? ['']
      : peers.flatMap((peer) => matchPeer(otherSide, peer, policy.metadata.namespace, objects));
  const receivers = direction === 'Ingress' ? own : livePods(objects);
  const ports = rule.ports === undefined || rule.ports.length === 0 ? [''] : rule.ports.flatMap((port) => matchPort(port, receivers));
  return matches.flatMap((peer) =>
    ports.map((port) => [`ip ${ownSide} ${set(own.map(addressOf))}`, peer, port, 'return'].filter(Boolean).join(' ')),
  );
};

/** First what is allowed, then the end of everything else that concerns a pod which a policy of this direction selects. */
const chainOf = (direction: Direction, objects: ClusterObjects): string => {
  const isolated = new Set<string>();
  const allowed: string[] = [];
  for (const policy of objects.policies) {
    const { podSelector, policyTypes = ['Ingress'], ingress = [], egress = [] } = policy.spec;
    if (!policyTypes.includes(direction)) continue;
    const own = livePods(objects).filter(
      ({ metadata }) => metadata.namespace === policy.metadata.namespace && selects(podSelector, metadata.labels ?? {}),
    );
    if (own.length === 0) continue;
    for (const pod of own) isolated.add(addressOf(pod));
    for (const rule of direction === 'Ingress' ? ingress : egress) allowed.push(...rulesOf(direction, policy, rule, own, objects));
  }
  const rest = isolated.size === 0 ? [] : [`ip ${direction === 'Ingress' ? 'daddr' : 'saddr'} ${set(isolated)} counter drop`];
  return `  chain ${direction.toLowerCase()} {\n${[...new Set(allowed), ...rest].map((line) => `    ${line}\n`).join('')}  }\n`;
};

/**
 * Renders the network policies as rules of nftables for a node (networking.k8s.io/v1): a connection between pods needs a rule that allows it at each
 * end that a policy selects. Packets of a connection that was allowed pass; what a node sends to its own pods, such as probes, is not forwarded and
 * always passes.
 * @returns a script for `nft -f`, which replaces all rules of before at once
 */
export const renderRules = (objects: ClusterObjects): string =>
  `table ${TABLE} {}\ndelete table ${TABLE}\ntable ${TABLE} {\n${chainOf('Egress', objects)}${chainOf('Ingress', objects)}  chain forward {
    type filter hook forward priority 10;
    ct state established,related accept
    jump egress
    jump ingress
  }
}\n`;
