import { PROCESS_NAMES, type ProcessName } from '../../deploy/local/src/config.ts';

/** The fields of Kubernetes objects that the policies read. Everything else is checked against the schemas. */
export type Labels = Readonly<Record<string, string>>;

type Selector = {
  matchLabels?: Labels;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
};

export type Peer = { podSelector?: Selector; namespaceSelector?: Selector; ipBlock?: { cidr?: string } };
export type Rule = {
  toFQDNs?: { matchName?: string; matchPattern?: string }[];
  toEntities?: string[];
  from?: Peer[];
  to?: Peer[];
  ports?: { port?: number | string; protocol?: string }[];
};

type Probe = { httpGet?: { path?: string; port?: number | string }; exec?: object; tcpSocket?: object };

export type Container = {
  name: string;
  image?: string;
  args?: string[];
  env?: { name: string; value?: string; valueFrom?: { fieldRef?: object; secretKeyRef?: object } }[];
  envFrom?: { configMapRef?: { name: string }; secretRef?: object }[];
  ports?: { name?: string; containerPort: number }[];
  startupProbe?: Probe;
  readinessProbe?: Probe;
  livenessProbe?: Probe;
  lifecycle?: { preStop?: { sleep?: { seconds?: number } } };
  securityContext?: {
    readOnlyRootFilesystem?: boolean;
    allowPrivilegeEscalation?: boolean;
    privileged?: boolean;
    capabilities?: { drop?: string[] };
  };
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> };
};

type Volume = {
  name: string;
  secret?: { secretName?: string };
  configMap?: { name?: string };
  hostPath?: object;
  projected?: { sources?: { secret?: { name?: string } }[] };
};

export type PodSpec = {
  serviceAccountName?: string;
  automountServiceAccountToken?: boolean;
  enableServiceLinks?: boolean;
  hostNetwork?: boolean;
  hostPID?: boolean;
  hostIPC?: boolean;
  terminationGracePeriodSeconds?: number;
  securityContext?: { runAsNonRoot?: boolean; runAsUser?: number; seccompProfile?: { type?: string } };
  topologySpreadConstraints?: { topologyKey?: string }[];
  containers: Container[];
  initContainers?: Container[];
  volumes?: Volume[];
};

type Template = { metadata?: { labels?: Labels }; spec: PodSpec };

export type Manifest = {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Labels };
  immutable?: boolean;
  data?: Record<string, string>;
  automountServiceAccountToken?: boolean;
  spec?: {
    template?: Template;
    jobTemplate?: { spec: { template: Template } };
    replicas?: number;
    serviceName?: string;
    podManagementPolicy?: string;
    clusterIP?: string;
    publishNotReadyAddresses?: boolean;
    selector?: Selector & Labels;
    podSelector?: Selector;
    /** Of Cilium's policies. */
    endpointSelector?: Selector;
    policyTypes?: string[];
    ingress?: Rule[];
    egress?: Rule[];
    maxUnavailable?: number | string;
    unhealthyPodEvictionPolicy?: string;
    scaleTargetRef?: { name?: string };
    secretName?: string;
    dnsNames?: string[];
  };
};

/** Pods of a manifest that makes some: its name, labels and specification. */
export type Workload = { kind: string; name: string; labels: Labels; pod: PodSpec };

/** The workloads among the manifests. */
export const workloadsOf = (manifests: readonly Manifest[]): Workload[] =>
  manifests.flatMap(({ kind, metadata, spec }) => {
    const template = spec?.template ?? spec?.jobTemplate?.spec.template;
    return template === undefined ? [] : [{ kind, name: metadata.name, labels: template.metadata?.labels ?? {}, pod: template.spec }];
  });

/** The names of the Secrets whose files a volume has. */
export const secretsOf = ({ secret, projected }: Volume): string[] =>
  [secret?.secretName, ...(projected?.sources ?? []).map((source) => source.secret?.name)].filter((name) => name !== undefined);

/** Reports whether a workload is a process of the platform: the manifests have one for each. */
export const isProcess = (name: string): name is ProcessName => PROCESS_NAMES.some((process) => process === name);

/** Reports whether a selector (LabelSelector of Kubernetes) selects an object with these labels. An empty one selects every object. */
export const selects = (selector: Selector | undefined, labels: Labels): boolean => {
  const { matchLabels = {}, matchExpressions = [] } = selector ?? {};
  const fits = ({ key, operator, values = [] }: { key: string; operator: string; values?: string[] }): boolean => {
    const value = labels[key];
    if (operator === 'In') return value !== undefined && values.includes(value);
    if (operator === 'NotIn') return value === undefined || !values.includes(value);
    return operator === 'Exists' ? value !== undefined : value === undefined;
  };
  return Object.entries(matchLabels).every(([key, value]) => labels[key] === value) && matchExpressions.every(fits);
};
