import type { z } from 'zod';
import { PROCESS_NAMES, type ProcessName } from '../../../deploy/local/src/config.ts';
import { configShape as backOfficeShape } from '../../../gateway/back-office/src/config.ts';
import { configShape as gatewayShape } from '../../../gateway/src/config.ts';
import { configShape as cardShape } from '../../../services/card/src/config.ts';
import { configShape as chainShape } from '../../../services/chain/src/config.ts';
import { configShape as eventsShape, webhooksShape } from '../../../services/events/src/config.ts';
import { configShape as identityShape } from '../../../services/identity/src/config.ts';
import { configShape as ledgerShape } from '../../../services/ledger/src/config.ts';
import { configShape as notificationsShape } from '../../../services/notifications/src/config.ts';
import { configShape as settlementShape } from '../../../services/settlement/src/config.ts';
import { configShape as threedsShape } from '../../../services/threeds/src/config.ts';
import { configShape as vaultShape } from '../../../services/vault/src/config.ts';
import { type Container, isProcess, type Manifest, secretsOf, type Workload, workloadsOf } from '../manifest.ts';
import type { Policy } from './policy.ts';

/** The variables of each process. */
export const SHAPES: Readonly<Record<ProcessName, z.ZodRawShape>> = {
  gateway: gatewayShape,
  identity: identityShape,
  card: cardShape,
  ledger: ledgerShape,
  threeds: threedsShape,
  vault: vaultShape,
  chain: chainShape,
  events: eventsShape,
  webhooks: webhooksShape,
  settlement: settlementShape,
  notifications: notificationsShape,
  'back-office': backOfficeShape,
};

/** Variables of Node.js, and those from which others are made. */
const FOREIGN = new Set(['NODE_ENV', 'POD_NAME', 'POD_NAMESPACE', 'NODE_USE_ENV_PROXY', 'HTTPS_PROXY', 'NO_PROXY']);

const ALL_VARIABLES = new Set(Object.values(SHAPES).flatMap((shape) => Object.keys(shape)));

/** Reports whether a process does not start without the variable. */
export const isRequired = (schema: z.core.$ZodType | undefined): boolean =>
  schema !== undefined && !(schema as z.ZodType).safeParse(undefined).success;

const configMapsOf = (manifests: readonly Manifest[], container: Container | undefined): Manifest[] => {
  const names = new Set((container?.envFrom ?? []).map(({ configMapRef }) => configMapRef?.name));
  return manifests.filter(({ kind, metadata }) => kind === 'ConfigMap' && names.has(metadata.name));
};

/** The variables of a process's first container, by name. Those from ConfigMaps come first, as Kubernetes has it. */
export const environmentOf = (manifests: readonly Manifest[], { pod }: Workload): Map<string, string> => {
  const [container] = pod.containers;
  const shared = configMapsOf(manifests, container).flatMap(({ data }) => Object.entries(data ?? {}));
  return new Map([...shared, ...(container?.env ?? []).map(({ name, value = '' }) => [name, value] as const)]);
};

const processesOf = (manifests: readonly Manifest[]): Workload[] => workloadsOf(manifests).filter(({ name }) => isProcess(name));

const stem = (variable: string): string => variable.replace(/_FILE$/, '');

const misplaced = ({ name, pod }: Workload): string[] => {
  const known = new Set<string>();
  const problems: string[] = [];
  for (const variable of pod.containers[0]?.env ?? []) {
    for (const [, used = ''] of (variable.value ?? '').matchAll(/\$\((\w+)\)/g))
      if (!known.has(used)) problems.push(`${name}: ${variable.name} refers to ${used}, which is not defined before it`);
    known.add(variable.name);
  }
  return problems;
};

export const configurationPolicies: readonly Policy[] = [
  {
    name: 'processes have the variables that they require, and none that they do not know',
    check: ({ manifests }) =>
      processesOf(manifests).flatMap((workload) => {
        const shape = SHAPES[workload.name as ProcessName];
        const own = new Set((workload.pod.containers[0]?.env ?? []).map((variable) => variable.name));
        const given = [...environmentOf(manifests, workload).keys()];
        const names = new Set(given.map(stem));
        const missing = Object.keys(shape).filter((variable) => isRequired(shape[variable]) && !names.has(variable));
        const unknown = given.filter(
          (variable) => !FOREIGN.has(variable) && !(own.has(variable) ? stem(variable) in shape : ALL_VARIABLES.has(stem(variable))),
        );
        return [
          ...missing.map((variable) => `${workload.name} lacks ${variable}`),
          ...unknown.map((variable) => `${workload.name} does not know ${variable}`),
        ];
      }),
  },
  {
    name: 'variables refer to variables before them',
    check: ({ manifests }) => workloadsOf(manifests).flatMap(misplaced),
  },
  {
    name: 'a changed configuration rolls the pods: its ConfigMaps have hashes in their names and never change',
    check: ({ manifests }) => {
      const used = workloadsOf(manifests).flatMap(({ pod }) => pod.containers.flatMap((container) => configMapsOf(manifests, container)));
      return [...new Set(used)].flatMap(({ metadata, immutable }) =>
        immutable === true && /-[a-z0-9]{10}$/.test(metadata.name) ? [] : [`the ConfigMap ${metadata.name} can change under running pods`],
      );
    },
  },
  {
    name: 'secrets are files, and each process has its own',
    check: ({ manifests }) => {
      const owners = new Map<string, string>();
      return processesOf(manifests).flatMap(({ name, pod }) => {
        const [container] = pod.containers;
        const inEnvironment = container?.env?.some(({ valueFrom }) => valueFrom?.secretKeyRef !== undefined) === true;
        const asEnvironment = container?.envFrom?.some(({ secretRef }) => secretRef !== undefined) === true;
        const shared = (pod.volumes ?? []).flatMap(secretsOf).flatMap((secretName) => {
          const owner = owners.get(secretName);
          owners.set(secretName, name);
          return owner === undefined ? [] : [`${name} mounts the Secret ${secretName} of ${owner}`];
        });
        return [...(inEnvironment || asEnvironment ? [`${name} has a secret among its variables`] : []), ...shared];
      });
    },
  },
  {
    name: 'outside of the sandbox, processes speak TLS with certificates that name them',
    check: ({ manifests, sandbox }) => {
      if (sandbox) return [];
      const certificates = new Map(
        manifests.filter(({ kind }) => kind === 'Certificate').map(({ spec }) => [spec?.secretName, spec?.dnsNames ?? []]),
      );
      return processesOf(manifests).flatMap((workload) => {
        const env = environmentOf(manifests, workload);
        const secrets = (workload.pod.volumes ?? []).filter(({ name }) => name === 'tls').flatMap(secretsOf);
        const [names = [], ...others] = secrets.map((secret) => certificates.get(secret) ?? []);
        const plain = [...env].filter(
          ([name, value]) => PROCESS_NAMES.some((one) => name === `${one.toUpperCase()}_URL`) && !value.startsWith('https:'),
        );
        return [
          ...(['TLS_CERT', 'TLS_KEY', 'TLS_CA'].every((name) => env.has(name)) ? [] : [`${workload.name} has no certificate`]),
          ...(names[0] === workload.name && others.length === 0 ? [] : [`the certificate of ${workload.name} does not name it`]),
          ...plain.map(([name]) => `${workload.name} calls ${name} in cleartext`),
        ];
      });
    },
  },
  {
    name: 'outside of the sandbox, no process is in the sandbox',
    check: ({ manifests, sandbox }) =>
      processesOf(manifests).flatMap((workload) =>
        (environmentOf(manifests, workload).get('SANDBOX') === 'true') === sandbox ? [] : [`${workload.name}: SANDBOX is not ${sandbox}`],
      ),
  },
];
