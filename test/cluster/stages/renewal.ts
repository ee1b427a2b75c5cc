import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { NAMESPACE, processesOfPod, until } from '@florin/cluster';
import { isProcess } from '../../../scripts/deploy/manifest.ts';
import { type PodState, processPods } from '../pods.ts';
import type { Deployment, Stage } from './stage.ts';
import { failuresOf, underTraffic } from './under-traffic.ts';

const SCRIPT = join(import.meta.dirname, '../scripts/certificate-of.ts');
const SCRIPT_TIMEOUT_MS = 20_000;

const NEXT_AUTHORITY = 'platform-ca-next';

const ISSUED_WITHIN_MS = 60_000;
/** Nodes look at their Secrets, and processes at their files, at intervals of seconds. */
const TAKEN_WITHIN_MS = 90_000;
const LOOKS_AT_ONCE = 4;

type Cluster = Deployment['cluster'];
type Condition = { type: string; status: string };
type Certificate = { metadata: { name: string }; spec: { secretName: string }; status?: { conditions?: Condition[] } };

const run = promisify(execFile);

const certificatesOf = async ({ kubectl }: Cluster): Promise<Certificate[]> => {
  const found = await kubectl(['get', 'certificates', `--namespace=${NAMESPACE}`, '--output=json']);
  return (JSON.parse(found) as { items: Certificate[] }).items.filter(({ metadata }) => isProcess(metadata.name));
};

const filesOf = async ({ api }: Cluster, secret: string): Promise<(name: string) => Buffer> => {
  const { data } = await api.get<{ data: Record<string, string> }>(`/api/v1/namespaces/${NAMESPACE}/secrets/${secret}`);
  return (name) => Buffer.from(data[name] ?? '', 'base64');
};

const issued = async (cluster: Cluster, { spec }: Certificate): Promise<X509Certificate> =>
  new X509Certificate((await filesOf(cluster, spec.secretName))('tls.crt'));

const apply = async ({ kubectl }: Cluster, object: object): Promise<void> => {
  const directory = await mkdtemp(join(tmpdir(), 'florin-apply-'));
  try {
    const file = join(directory, 'object.json');
    await writeFile(file, JSON.stringify(object));
    await kubectl(['apply', `--namespace=${NAMESPACE}`, `--filename=${file}`]);
  } finally {
    await rm(directory, { recursive: true });
  }
};

const AUTHORITIES = 'platform-authorities';

/** Makes another authority. @returns its certificate, with that of the one before */
const makeAuthority = async (cluster: Cluster): Promise<string> => {
  const spec = {
    isCA: true,
    commonName: NEXT_AUTHORITY,
    secretName: NEXT_AUTHORITY,
    duration: '87600h',
    privateKey: { algorithm: 'ECDSA', size: 256, rotationPolicy: 'Always' },
    issuerRef: { kind: 'Issuer', name: 'self-signed' },
  };
  await apply(cluster, { apiVersion: 'cert-manager.io/v1', kind: 'Certificate', metadata: { name: NEXT_AUTHORITY }, spec });
  const made = () => filesOf(cluster, NEXT_AUTHORITY).catch(() => undefined);
  const next = await until('another authority', made, ISSUED_WITHIN_MS);
  const before = await filesOf(cluster, 'platform-ca');
  return `${before('tls.crt')}\n${next('tls.crt')}`;
};

/** Asks for a new certificate as `cmctl renew` does: by a condition. */
const renew = async ({ kubectl }: Cluster, { metadata, status }: Certificate): Promise<void> => {
  const asked = { type: 'Issuing', status: 'True', reason: 'ManuallyTriggered', lastTransitionTime: new Date().toISOString() };
  const conditions = [...(status?.conditions ?? []).filter(({ type }) => type !== asked.type), asked];
  const patch = JSON.stringify({ status: { conditions } });
  const target = ['certificate', metadata.name, `--namespace=${NAMESPACE}`];
  await kubectl(['patch', ...target, '--subresource=status', '--type=merge', `--patch=${patch}`]);
};

type Held = { expiresAt: number; authorities: number; serial?: string };

/** Reads a pod's pages and metrics from within its network, where no policy applies. */
const heldBy = async ({ node, uid, internalPort, grpcPort }: PodState): Promise<Held> => {
  const [pid] = processesOfPod(node, uid);
  const ports = [internalPort, grpcPort].filter((port) => port !== undefined).map(String);
  const command = ['--target', String(pid), '--net', '--', process.execPath, SCRIPT, ...ports];
  return JSON.parse((await run('nsenter', command, { timeout: SCRIPT_TIMEOUT_MS })).stdout);
};

/** Waits for something of every pod, of a few at a time: each look starts a process. */
const ofAll = async (
  pods: readonly PodState[],
  what: (pod: PodState) => string,
  look: (pod: PodState) => Promise<boolean>,
): Promise<void> => {
  for (let first = 0; first < pods.length; first += LOOKS_AT_ONCE) {
    const some = pods.slice(first, first + LOOKS_AT_ONCE);
    await Promise.all(some.map((pod) => until(what(pod), async () => ((await look(pod)) ? true : undefined), TAKEN_WITHIN_MS)));
  }
};

const allTrust = (pods: readonly PodState[], count: number): Promise<void> =>
  ofAll(
    pods,
    ({ name }) => `the trust of ${name} in ${count} authorities`,
    async (pod) => (await heldBy(pod)).authorities === count,
  );

const holds = async (pod: PodState, certificate: X509Certificate | undefined): Promise<boolean> => {
  const { expiresAt, serial } = await heldBy(pod);
  return expiresAt === certificate?.validToDate.getTime() && (serial === undefined || serial === certificate.serialNumber);
};

/** Renews all certificates, and waits until every pod has taken its new one. */
const renewAll = async (cluster: Cluster, certificates: readonly Certificate[], pods: readonly PodState[]): Promise<void> => {
  const old = new Map<string, string>();
  for (const one of certificates) old.set(one.metadata.name, (await issued(cluster, one)).serialNumber);
  for (const one of certificates) await renew(cluster, one);
  const renewed = new Map<string, X509Certificate>();
  for (const one of certificates) {
    const { name } = one.metadata;
    const fresh = async () => {
      const certificate = await issued(cluster, one);
      return certificate.serialNumber === old.get(name) ? undefined : certificate;
    };
    renewed.set(name, await until(`a new certificate of ${name}`, fresh, ISSUED_WITHIN_MS));
  }
  const authority = new X509Certificate((await filesOf(cluster, NEXT_AUTHORITY))('tls.crt'));
  for (const [name, certificate] of renewed) {
    if (!certificate.verify(authority.publicKey)) throw new Error(`the new certificate of ${name} is not of the new authority`);
  }
  await ofAll(
    pods,
    ({ name }) => `the use of the new certificate by ${name}`,
    (pod) => holds(pod, renewed.get(pod.process)),
  );
};

/**
 * The platform changes to another authority, as the operations page says: every process trusts both, takes a new certificate with a new key of the new one, and
 * trusts it alone in the end; without a restart and without a failed request.
 */
export const renewal: Stage = {
  name: 'renewal',
  run: async (deployment) => {
    const { cluster, report } = deployment;
    const certificates = await certificatesOf(cluster);
    const before = await processPods(cluster);
    const what = `changing to another authority and renewing ${certificates.length} certificates`;
    const { result, problems } = await underTraffic(deployment, what, async () => {
      const both = await makeAuthority(cluster);
      await apply(cluster, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: AUTHORITIES }, data: { 'ca.crt': both } });
      await allTrust(before, 2);
      const patch = JSON.stringify({ spec: { ca: { secretName: NEXT_AUTHORITY } } });
      await cluster.kubectl(['patch', 'issuer', 'platform', `--namespace=${NAMESPACE}`, '--type=merge', `--patch=${patch}`]);
      await renewAll(cluster, certificates, before);
      await cluster.kubectl(['delete', 'configmap', AUTHORITIES, `--namespace=${NAMESPACE}`]);
      await allTrust(before, 1);
    });

    const after = new Map((await processPods(cluster)).map((pod) => [pod.uid, pod]));
    const restarted = before.filter(({ uid, restarts }) => after.get(uid)?.restarts !== restarts).map(({ name }) => name);
    report(`${before.length} pods of ${certificates.length} processes hold their new certificates, ${restarted.length} were restarted`);
    return [
      ...problems,
      ...failuresOf('the renewal', result),
      ...(before.every(({ process: name }) => certificates.some(({ metadata }) => metadata.name === name))
        ? []
        : ['a process has no certificate']),
      ...(restarted.length === 0 ? [] : [`restarted: ${restarted.join(', ')}`]),
    ];
  },
};
