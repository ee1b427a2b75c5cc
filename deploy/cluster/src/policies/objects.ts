import type { Labels } from '../../../../scripts/deploy/manifest.ts';

/** The fields of the API's objects that decide about connections. */
export type Meta = { name: string; namespace: string; labels?: Labels; deletionTimestamp?: string };

export type PodObject = {
  metadata: Meta;
  spec: { hostNetwork?: boolean; nodeName?: string; containers: { ports?: { name?: string; containerPort: number }[] }[] };
  status: { podIP?: string; phase?: string; conditions?: { type: string; status: string }[] };
};

export type NamespaceObject = { metadata: Meta };

type Selector = { matchLabels?: Labels; matchExpressions?: { key: string; operator: string; values?: string[] }[] };
export type PeerObject = { podSelector?: Selector; namespaceSelector?: Selector; ipBlock?: { cidr: string; except?: string[] } };
export type PortObject = { port?: number | string; endPort?: number; protocol?: string };
export type RuleObject = { from?: PeerObject[]; to?: PeerObject[]; ports?: PortObject[] };

export type PolicyObject = {
  metadata: Meta;
  spec: { podSelector?: Selector; policyTypes?: string[]; ingress?: RuleObject[]; egress?: RuleObject[] };
};

/** The objects that decide about connections, as the API has them at one moment. */
export type ClusterObjects = { pods: readonly PodObject[]; policies: readonly PolicyObject[]; namespaces: readonly NamespaceObject[] };
