import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Cluster } from '../cluster.ts';
import type { Kubectl } from '../kubectl.ts';
import { keysDir } from '../launch.ts';
import { NAMESPACE, type StateDir } from '../layout.ts';
import type { Report } from '../report.ts';

const COMPONENTS = join(import.meta.dirname, '../../../k8s/components');

/** The workloads of the platform, as kubectl names them. */
export const WORKLOADS = [
  ...['deployment/identity', 'deployment/vault', 'deployment/card', 'statefulset/ledger'],
  ...[
    'deployment/threeds',
    'deployment/chain',
    'deployment/events',
    'deployment/webhooks',
    'deployment/settlement',
    'deployment/notifications',
    'deployment/gateway',
    'deployment/back-office',
  ],
] as const;

const READY_TIMEOUT_MS = 300_000;

/** Waits until a workload has been rolled out. @throws StepError when it takes too long */
export const rolledOut = async ({ kubectl }: Pick<Cluster, 'kubectl'>, workload: string, timeoutMs = READY_TIMEOUT_MS): Promise<void> => {
  const wait = `--timeout=${Math.ceil(timeoutMs / 1000)}s`;
  await kubectl(['rollout', 'status', workload, `--namespace=${NAMESPACE}`, wait], { timeoutMs: timeoutMs + 10_000 });
};

/** Runs `npm run k8s-secrets` as an operator does, into a file. */
const writeSecrets = async (dataDir: string, file: string): Promise<void> => {
  const output = openSync(file, 'w', 0o600);
  const program = join(import.meta.dirname, '../../../local/src/k8s-secrets.ts');
  const child = spawn(process.execPath, [program, '--data-dir', dataDir, '--namespace', NAMESPACE], {
    stdio: ['ignore', output, 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  closeSync(output);
  if (code !== 0) throw new Error(`k8s-secrets ended with code ${code}`);
};

/** Asks cert-manager for the certificates of the processes. Before their pods, which would wait for them longer than it takes. */
const issueCertificates = async (kubectl: Kubectl): Promise<void> => {
  for (const file of ['authority.yaml', 'certificates.yaml']) {
    await kubectl(['apply', '-f', join(COMPONENTS, 'cert-manager', file), `--namespace=${NAMESPACE}`]);
  }
  await kubectl(['wait', '--for=condition=Ready', 'certificate', '--all', `--namespace=${NAMESPACE}`, '--timeout=110s']);
};

/**
 * Deploys the sandbox overlay with mutual TLS, as deploy/k8s/README.md describes it, and waits until everything is ready.
 * @returns the address of the gateway
 */
export const deploySandbox = async (cluster: Cluster & { state: StateDir }, report: Report): Promise<string> => {
  const { api, kubectl, state } = cluster;
  const secrets = join(state.path, 'secrets.json');
  await writeSecrets(keysDir(state), secrets);
  await kubectl(['create', 'namespace', NAMESPACE]);
  await kubectl(['apply', '-f', secrets]);
  await issueCertificates(kubectl);
  report('cert-manager has issued the certificates');
  await kubectl(['apply', '-k', join(import.meta.dirname, '../../manifests')]);
  report('the sandbox overlay is applied');
  for (const engine of ['mongodb', 'redis']) await rolledOut({ kubectl }, `statefulset/${engine}`);
  for (const workload of WORKLOADS) await rolledOut({ kubectl }, workload);
  const { spec } = await api.get<{ spec: { clusterIP: string } }>(`/api/v1/namespaces/${NAMESPACE}/services/gateway`);
  report('every process is ready');
  return `http://${spec.clusterIP}:8080`;
};
