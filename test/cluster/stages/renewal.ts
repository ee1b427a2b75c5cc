import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { NAMESPACE, processesOfPod, until } from '@florin/cluster';
import { isProcess } from '../../../scripts/deploy/manifest.ts';
import { type PodState, processPods } from '../pods.ts';
import type { Deployment, Stage } from './stage.ts';
import { failuresOf, underTraffic } from './under-traffic.ts';

const SCRIPT = join(import.meta.dirname, '../scripts/certificate-of.ts');
const SCRIPT_TIMEOUT_MS = 20_000;

const ISSUED_WITHIN_MS = 60_000;
/** Nodes look at their Secrets, and processes at their files, at intervals of seconds. */
const TAKEN_WITHIN_MS = 90_000;

type Cluster = Deployment['cluster'];
type Condition = { type: string; status: string };
type Certificate = { metadata: { name: string }; spec: { secretName: string }; status?: { conditions?: Condition[] } };

const run = promisify(execFile);

const certificatesOf = async ({ kubectl }: Cluster): Promise<Certificate[]> => {
  const found = await kubectl(['get', 'certificates', `--namespace=${NAMESPACE}`, '--output=json']);
  return (JSON.parse(found) as { items: Certificate[] }).items.filter(({ metadata }) => isProcess(metadata.name));
};

const issued = async ({ api }: Cluster, { spec }: Certificate): Promise<X509Certificate> => {
  const { data } = await api.get<{ data: Record<string, string> }>(`/api/v1/namespaces/${NAMESPACE}/secrets/${spec.secretName}`);
  return new X509Certificate(Buffer.from(data['tls.crt'] ?? '', 'base64'));
};

/** Asks for a new certificate as `cmctl renew` does: by a condition. */
const renew = async ({ kubectl }: Cluster, { metadata, status }: Certificate): Promise<void> => {
  const asked = { type: 'Issuing', status: 'True', reason: 'ManuallyTriggered', lastTransitionTime: new Date().toISOString() };
  const conditions = [...(status?.conditions ?? []).filter(({ type }) => type !== asked.type), asked];
  const patch = JSON.stringify({ status: { conditions } });
  const target = ['certificate', metadata.name, `--namespace=${NAMESPACE}`];
  await kubectl(['patch', ...target, '--subresource=status', '--type=merge', `--patch=${patch}`]);
};

/** What a pod serves and reports, read in its network: no policy is in the way. */
const heldBy = async ({ node, uid, internalPort, grpcPort }: PodState): Promise<{ expiresAt: number; serial?: string }> => {
  const [pid] = processesOfPod(node, uid);
  const ports = [internalPort, grpcPort].filter((port) => port !== undefined).map(String);
  const command = ['--target', String(pid), '--net', '--', process.execPath, SCRIPT, ...ports];
  return JSON.parse((await run('nsenter', command, { timeout: SCRIPT_TIMEOUT_MS })).stdout);
};

const holds = async (pod: PodState, certificate: X509Certificate | undefined): Promise<boolean> => {
  const { expiresAt, serial } = await heldBy(pod);
  return expiresAt === certificate?.validToDate.getTime() && (serial === undefined || serial === certificate.serialNumber);
};

/** Every process takes a new certificate, with a new key, without a restart and without a failed request. */
export const renewal: Stage = {
  name: 'renewal',
  run: async (deployment) => {
    const { cluster, report } = deployment;
    const certificates = await certificatesOf(cluster);
    const old = new Map<string, string>();
    for (const one of certificates) old.set(one.metadata.name, (await issued(cluster, one)).serialNumber);
    const before = await processPods(cluster);

    const { result, problems } = await underTraffic(deployment, `renewing ${certificates.length} certificates`, async () => {
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
      for (const pod of before) {
        const taken = async () => ((await holds(pod, renewed.get(pod.process))) ? true : undefined);
        await until(`the use of the new certificate by ${pod.name}`, taken, TAKEN_WITHIN_MS);
      }
    });

    const after = new Map((await processPods(cluster)).map((pod) => [pod.uid, pod]));
    const restarted = before.filter(({ uid, restarts }) => after.get(uid)?.restarts !== restarts).map(({ name }) => name);
    report(`${before.length} pods of ${certificates.length} processes hold their new certificates, ${restarted.length} were restarted`);
    return [
      ...problems,
      ...failuresOf('the renewal', result),
      ...(before.every(({ process: name }) => old.has(name)) ? [] : ['a process has no certificate']),
      ...(restarted.length === 0 ? [] : [`restarted: ${restarted.join(', ')}`]),
    ];
  },
};
