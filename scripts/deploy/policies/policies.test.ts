import { beforeAll, describe, expect, it } from 'vitest';
import { buildOverlay, OVERLAYS } from '../build-overlay.ts';
import { type Container, type Manifest, type PodSpec, workloadsOf } from '../manifest.ts';
import { schemaValidation, type Validate } from '../validate-schemas.ts';
import { isAllowed } from './edges.ts';
import { type Overlay, POLICIES } from './index.ts';

const quiet = (): void => undefined;

/** The validator is an external program that reads all schemas, once per manifest set. */
const VALIDATOR_MS = 120_000;

let built: Record<string, { overlay: Overlay; yaml: string }>;
let validate: Validate | undefined;
beforeAll(async () => {
  validate = await schemaValidation(quiet);
  built = Object.fromEntries(await Promise.all(OVERLAYS.map(async (one) => [one.name, await buildOverlay(one, quiet)] as const)));
}, 600_000);

const overlayOf = (name: string): Overlay => {
  const one = built[name];
  if (one === undefined) throw new Error(`${name} was not built`);
  return structuredClone(one.overlay);
};

const violated = (overlay: Overlay): string[] => POLICIES.filter(({ check }) => check(overlay).length > 0).map(({ name }) => name);

type Plant = (overlay: Overlay & { manifests: Manifest[] }) => unknown;

const find = ({ manifests }: Overlay, kind: string, name: string): Manifest => {
  const found = manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name.startsWith(name));
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
  return found;
};
const pod = (change: (spec: PodSpec) => unknown): Plant => {
  return ({ manifests }) => change(workloadsOf(manifests).find(({ name }) => name === 'card')?.pod as PodSpec);
};
const container = (change: (main: Container) => unknown): Plant => pod(({ containers }) => change(containers[0] as Container));
const remove =
  (kind: string, name: string): Plant =>
  (overlay) =>
    overlay.manifests.splice(overlay.manifests.indexOf(find(overlay, kind, name)), 1);
const change =
  (kind: string, name: string, edit: (manifest: Manifest) => unknown): Plant =>
  (overlay) =>
    edit(find(overlay, kind, name));
const spec = (manifest: Manifest) => manifest.spec ?? {};

const PLANTED: readonly (readonly [mistake: string, policy: string, plant: Plant])[] = [
  ['a pod that may run as root', 'pods are restricted', pod(({ securityContext = {} }) => delete securityContext.runAsNonRoot)],
  [
    'a writable root file system',
    'pods are restricted',
    container(({ securityContext = {} }) => (securityContext.readOnlyRootFilesystem = false)),
  ],
  [
    'kept capabilities',
    'pods are restricted',
    container(({ securityContext = {} }) => (securityContext.capabilities = { drop: ['NET_RAW'] })),
  ],
  ['a pod that runs as root', 'pods are restricted', pod(({ securityContext = {} }) => (securityContext.runAsUser = 0))],
  ['a privileged container', 'pods are restricted', container(({ securityContext = {} }) => (securityContext.privileged = true))],
  [
    'privileges that may grow',
    'pods are restricted',
    container(({ securityContext = {} }) => delete securityContext.allowPrivilegeEscalation),
  ],
  ['the network of the node', 'pods are restricted', pod((one) => (one.hostNetwork = true))],
  ['files of the node', 'pods are restricted', pod((one) => one.volumes?.push({ name: 'node', hostPath: { path: '/' } }))],
  ['no seccomp profile', 'pods are restricted', pod(({ securityContext = {} }) => delete securityContext.seccompProfile)],
  ['a namespace without enforcement', 'the namespace enforces', change('Namespace', 'florin', ({ metadata }) => (metadata.labels = {}))],
  ['no startup probe', 'processes have startup', container((main) => delete main.startupProbe)],
  ['no liveness probe', 'processes have startup', container((main) => delete main.livenessProbe)],
  [
    'liveness on the port of a service',
    'processes have startup',
    container((main) => (main.livenessProbe = { httpGet: { path: '/health/live', port: 'grpc' } })),
  ],
  ['no readiness probe', 'processes have startup', container((main) => delete main.readinessProbe)],
  [
    'liveness that asks engines',
    'processes have startup',
    container((main) => (main.livenessProbe = { httpGet: { path: '/health/ready', port: 'internal' } })),
  ],
  ['no spread over hosts', 'processes are spread', pod((one) => one.topologySpreadConstraints?.splice(1, 1))],
  ['no spread over zones', 'processes are spread', pod((one) => one.topologySpreadConstraints?.splice(0, 1))],
  ['a token of the service account', 'each workload has a service account', pod((one) => (one.automountServiceAccountToken = true))],
  ['another service account', 'each workload has a service account', pod((one) => (one.serviceAccountName = 'vault'))],
  ['service links', 'each workload has a service account', pod((one) => delete one.enableServiceLinks)],
  ['no request of processor time', 'containers have requests', container(({ resources = {} }) => delete resources.requests?.['cpu'])],
  ['no limit of memory', 'containers have requests', container(({ resources = {} }) => delete resources.limits)],
  [
    'a heap above the limit',
    'containers have requests',
    container((main) => (main.args = ['--max-old-space-size=512', 'services/card/src/main.js'])),
  ],
  ['no preStop', 'processes leave load balancers', container((main) => delete main.lifecycle)],
  ['a short grace period', 'processes leave load balancers', pod((one) => (one.terminationGracePeriodSeconds = 15))],
  ['the tag latest', 'images have versions', container((main) => (main.image = 'florin/platform:latest'))],
  ['no tag', 'images have versions', container((main) => (main.image = 'registry:5000/florin/platform'))],
  ['no Deployment', 'every process has a workload', remove('Deployment', 'vault')],
  ['no disruption budget', 'one pod of the platform', remove('PodDisruptionBudget', 'platform')],
  [
    'a process without a disruption budget',
    'one pod of the platform',
    change('PodDisruptionBudget', 'platform', (one) => spec(one).selector?.matchExpressions?.[0]?.values?.pop()),
  ],
  [
    'two evictions at a time',
    'one pod of the platform',
    change('PodDisruptionBudget', 'platform', (one) => (spec(one).maxUnavailable = 2)),
  ],
  [
    'a disruption budget beside another one',
    'one pod of the platform',
    (overlay) => {
      const budget = find(overlay, 'PodDisruptionBudget', 'platform');
      const another = structuredClone(budget);
      spec(budget).selector?.matchExpressions?.[0]?.values?.splice(0, 1);
      spec(another).selector?.matchExpressions?.[0]?.values?.splice(1);
      overlay.manifests.push({ ...another, metadata: { name: 'another' } });
    },
  ],
  ['no autoscaler', 'stateless processes scale', remove('HorizontalPodAutoscaler', 'gateway')],
  ['replicas beside an autoscaler', 'stateless processes scale', change('Deployment', 'card', (one) => (spec(one).replicas = 3))],
  [
    'an autoscaled ledger',
    'stateless processes scale',
    change('HorizontalPodAutoscaler', 'card', (one) => (spec(one).scaleTargetRef = { name: 'ledger' })),
  ],
  [
    'ledgers that start in order',
    'instances of the ledger',
    change('StatefulSet', 'ledger', (one) => delete spec(one).podManagementPolicy),
  ],
  [
    'names of ready ledgers only',
    'instances of the ledger',
    change('Service', 'ledger-peers', (one) => delete spec(one).publishNotReadyAddresses),
  ],
  ['no headless Service', 'platform services can balance', remove('Service', 'card-pods')],
  ['no default', 'everything is denied', remove('NetworkPolicy', 'default-deny')],
  ['a missing edge', 'processes can reach those', change('NetworkPolicy', 'card', (one) => spec(one).egress?.pop())],
  ['an edge too many', 'processes can reach those', change('NetworkPolicy', 'vault', (one) => (spec(one).ingress = [{}]))],
  ['an open process', 'strangers reach no process', change('NetworkPolicy', 'ledger', (one) => (spec(one).ingress = [{}]))],
  [
    'no policy of a process and no default',
    'strangers reach no process',
    (one) => [remove('NetworkPolicy', 'default-deny')(one), remove('NetworkPolicy', 'vault')(one)],
  ],
  [
    'a missing variable',
    'processes have the variables',
    container((main) => (main.env = (main.env ?? []).filter(({ name }) => name !== 'FIELD_KEYS_FILE'))),
  ],
  ['a misspelt variable', 'processes have the variables', container((main) => main.env?.push({ name: 'FX_RATE', value: '{}' }))],
  [
    'a variable of another process',
    'processes have the variables',
    container((main) => main.env?.push({ name: 'ADVERTISE_URL', value: 'http://card' })),
  ],
  [
    'a reference to a later variable',
    'variables refer to variables',
    container((main) => main.env?.unshift({ name: 'PROCESSOR', value: '$(PORT)' })),
  ],
  ['a ConfigMap that changes', 'a changed configuration rolls', change('ConfigMap', 'platform', (one) => delete one.immutable)],
  [
    'a ConfigMap without a hash',
    'a changed configuration rolls',
    (overlay) => {
      const map = find(overlay, 'ConfigMap', 'platform');
      for (const {
        pod: { containers },
      } of workloadsOf(overlay.manifests))
        for (const { envFrom = [] } of containers)
          for (const { configMapRef } of envFrom) if (configMapRef?.name === map.metadata.name) configMapRef.name = 'platform';
      map.metadata.name = 'platform';
    },
  ],
  [
    'a secret as a variable',
    'secrets are files',
    container((main) => main.env?.push({ name: 'FX_RATES', valueFrom: { secretKeyRef: {} } })),
  ],
  [
    'the Secret of another process',
    'secrets are files',
    pod((one) => one.volumes?.push({ name: 'more', secret: { secretName: 'vault-secrets' } })),
  ],
  [
    'the Secret of another process among other files',
    'secrets are files',
    pod((one) => one.volumes?.push({ name: 'more', projected: { sources: [{ secret: { name: 'vault-secrets' } }] } })),
  ],
  ['a label without its way out', 'a platform service with the label of a process', remove('NetworkPolicy', 'calls-card')],
];

const PLANTED_IN_PRODUCTION: typeof PLANTED = [
  ['an image without a digest', 'images have versions', container((main) => (main.image = 'florin/platform:1.0.0'))],
  [
    'a call in cleartext',
    'outside of the sandbox, processes speak TLS',
    change('ConfigMap', 'platform', ({ data = {} }) => (data['VAULT_URL'] = 'http://vault:50055')),
  ],
  ['no certificate', 'outside of the sandbox, processes speak TLS', remove('Certificate', 'card')],
  [
    'the certificate of another process',
    'outside of the sandbox, processes speak TLS',
    change('Certificate', 'card', (one) => (spec(one).dnsNames = ['gateway'])),
  ],
  [
    'a way out of the vault',
    'only processes that have systems outside',
    change(
      'CiliumNetworkPolicy',
      'outside-chain',
      (one) => (spec(one).endpointSelector = { matchLabels: { 'app.kubernetes.io/name': 'vault' } }),
    ),
  ],
  [
    'a process that reaches every address',
    'outside of the sandbox, processes reach the systems outside',
    change('NetworkPolicy', 'receivers', (one) => (spec(one).podSelector = { matchLabels: { 'app.kubernetes.io/name': 'ledger' } })),
  ],
  [
    'a provider whose name is missing',
    'outside of the sandbox, processes reach the systems outside',
    change('ConfigMap', 'card', ({ data = {} }) => (data['PROCESSOR_URL'] = 'https://other.example.com')),
  ],
  ['the sandbox', 'outside of the sandbox, no process', change('ConfigMap', 'platform', ({ data = {} }) => (data['SANDBOX'] = 'true'))],
];

const PLANTED_WITH_PROXY: typeof PLANTED = [
  [
    'the port of another process',
    'a process reaches its own port of the proxy',
    change('NetworkPolicy', 'outside-card', (one) => spec(one).egress?.[0]?.ports?.push({ port: 3101 })),
  ],
  [
    'a way of the vault to the proxy',
    'a process reaches its own port of the proxy',
    change('NetworkPolicy', 'outside-card', (one) => (spec(one).podSelector = {})),
  ],
  [
    'a provider that its list lacks',
    'outside of the sandbox, processes reach the systems outside',
    change(
      'ConfigMap',
      'outside-proxy',
      ({ data = {} }) => (data['egress.conf'] = data['egress.conf']?.replace('bridge.example.com', '') ?? ''),
    ),
  ],
  [
    'a list that has no names',
    'outside of the sandbox, processes reach the systems outside',
    change(
      'ConfigMap',
      'outside-proxy',
      ({ data = {} }) => (data['egress.conf'] = data['egress.conf']?.replace('kyt.example.com', 'kyt.example.com .com') ?? ''),
    ),
  ],
  [
    'a list that is allowed to nobody',
    'outside of the sandbox, processes reach the systems outside',
    change(
      'ConfigMap',
      'outside-proxy',
      ({ data = {} }) => (data['egress.conf'] = data['egress.conf']?.replace('http_access allow card', 'http_access deny card') ?? ''),
    ),
  ],
];

describe('the manifests', () => {
  it.each(OVERLAYS)('of $name keep every policy', ({ name }) => {
    expect(POLICIES.flatMap(({ check }) => check(overlayOf(name)))).toEqual([]);
  });

  it.each([
    ...PLANTED.map((one) => ['sandbox', ...one] as const),
    ...PLANTED_IN_PRODUCTION.map((one) => ['production', ...one] as const),
    ...PLANTED_WITH_PROXY.map((one) => ['production through a proxy', ...one] as const),
  ])('of %s with %s break a policy', (name, _mistake, policy, plant) => {
    const overlay = overlayOf(name);
    plant(overlay as Overlay & { manifests: Manifest[] });
    expect(violated(overlay).filter((one) => one.startsWith(policy))).toHaveLength(1);
  });

  it('break no policy without a mistake that breaks it', () => {
    const planted = new Set([...PLANTED, ...PLANTED_IN_PRODUCTION, ...PLANTED_WITH_PROXY].map(([, policy]) => policy));
    const untested = POLICIES.filter(({ name }) => ![...planted].some((policy) => name.startsWith(policy)));
    expect(untested.map(({ name }) => name)).toEqual([]);
  });

  it(
    'match the schemas of Kubernetes, which reject unknown and missing fields',
    async (context) => {
      if (validate === undefined) return context.skip('the schemas cannot be installed');
      const yaml = built['sandbox']?.yaml ?? '';
      expect(await validate(yaml)).toEqual([]);
      expect(await validate(yaml.replace('revisionHistoryLimit', 'revisionHistory'))).not.toEqual([]);
      expect(await validate(yaml.replace('maxReplicas', 'replicas'))).not.toEqual([]);
    },
    VALIDATOR_MS,
  );
});

describe('isAllowed', () => {
  const allow = (name: string, more: object): Manifest => ({
    apiVersion: 'v1',
    kind: 'NetworkPolicy',
    metadata: { name },
    spec: { ...more },
  });
  const a = { app: 'a' };
  const b = { app: 'b' };

  it('allows everything without policies, and nothing that only one end allows', () => {
    expect(isAllowed([], a, b, 80)).toBe(true);
    const deny = allow('deny', { podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
    const out = allow('out', {
      podSelector: { matchLabels: a },
      policyTypes: ['Egress'],
      egress: [{ to: [{ podSelector: { matchLabels: b } }], ports: [{ port: 80 }] }],
    });
    const into = allow('in', {
      podSelector: { matchLabels: b },
      policyTypes: ['Ingress'],
      ingress: [{ from: [{ podSelector: { matchLabels: a } }] }],
    });
    expect(isAllowed([deny, out], a, b, 80)).toBe(false);
    expect(isAllowed([deny, into], a, b, 80)).toBe(false);
    expect(isAllowed([deny, out, into], a, b, 80)).toBe(true);
    expect(isAllowed([deny, out, into], a, b, 81)).toBe(false);
    expect(isAllowed([deny, out, into], b, a, 80)).toBe(false);
  });
});
