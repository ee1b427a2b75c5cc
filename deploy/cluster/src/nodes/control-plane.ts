import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { API_URL, NODES, OUTSIDE_ADDRESS, POD_CIDR, SERVICE_CIDR, type StateDir } from '../layout.ts';
import type { Processes } from './processes.ts';

/** Users of the API, with their groups. A user's token is its name: nothing but the cluster reaches the API. */
const USERS: readonly (readonly [name: string, user: string, group: string])[] = [
  ['admin', 'admin', 'system:masters'],
  ['controller-manager', 'system:kube-controller-manager', ''],
  ['scheduler', 'system:kube-scheduler', ''],
  ['proxy', 'system:kube-proxy', ''],
  // The roles that its chart would give it are a part of those of an administrator.
  ['cert-manager', 'cert-manager', 'system:masters'],
  ...NODES.map(({ name }) => [name, `system:node:${name}`, 'system:nodes'] as const),
];

const kubeconfig = (user: string, authority: string): object => ({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'cluster', cluster: { server: API_URL, 'certificate-authority': authority } }],
  users: [{ name: user, user: { token: user } }],
  contexts: [{ name: 'cluster', context: { cluster: 'cluster', user } }],
  'current-context': 'cluster',
});

/** Path of the certificate that the API server makes for itself. */
export const authorityFile = ({ pki }: StateDir): string => join(pki, 'apiserver.crt');

/** Writes keys, users and kubeconfig files. */
export const writePki = (state: StateDir): void => {
  mkdirSync(state.pki, { recursive: true, mode: 0o700 });
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  writeFileSync(join(state.pki, 'service-accounts.key'), privateKey, { mode: 0o600 });
  writeFileSync(join(state.pki, 'tokens.csv'), USERS.map(([name, user, group]) => `${name},${user},${name},${group}\n`).join(''), {
    mode: 0o600,
  });
  for (const [name] of USERS)
    writeFileSync(state.kubeconfig(name), JSON.stringify(kubeconfig(name, authorityFile(state))), { mode: 0o600 });
};

/** Starts etcd and the API server; the controllers follow when the API is ready. */
export const startApi = (state: StateDir, processes: Processes, env: NodeJS.ProcessEnv): void => {
  const key = join(state.pki, 'service-accounts.key');
  const etcd = 'http://127.0.0.1:2379';
  processes.start(
    'etcd',
    // Its data need not survive the machine.
    [
      'etcd',
      `--data-dir=${join(state.path, 'etcd')}`,
      `--listen-client-urls=${etcd}`,
      `--advertise-client-urls=${etcd}`,
      '--listen-peer-urls=http://127.0.0.1:2380',
      '--unsafe-no-fsync',
    ],
    env,
  );
  processes.start(
    'apiserver',
    [
      'kubernetes',
      ...['apiserver', `--etcd-servers=${etcd}`, '--secure-port=6443', '--bind-address=0.0.0.0', `--advertise-address=${OUTSIDE_ADDRESS}`],
      ...[
        `--cert-dir=${state.pki}`,
        `--service-cluster-ip-range=${SERVICE_CIDR}`,
        '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
      ],
      ...[
        `--service-account-key-file=${key}`,
        `--service-account-signing-key-file=${key}`,
        `--token-auth-file=${join(state.pki, 'tokens.csv')}`,
      ],
      ...['--authorization-mode=Node,RBAC', '--enable-admission-plugins=NodeRestriction', '--anonymous-auth=false', '--profiling=false'],
      ...['--kubelet-preferred-address-types=InternalIP', '--v=1', '--feature-gates=SizeBasedListCostEstimate=false'],
    ],
    env,
  );
};

/** Starts the controllers and the scheduler. */
export const startControllers = (state: StateDir, processes: Processes, env: NodeJS.ProcessEnv): void => {
  processes.start(
    'controller-manager',
    [
      'kubernetes',
      ...['controller-manager', `--kubeconfig=${state.kubeconfig('controller-manager')}`, `--root-ca-file=${authorityFile(state)}`],
      ...[`--service-account-private-key-file=${join(state.pki, 'service-accounts.key')}`, '--use-service-account-credentials'],
      ...[
        `--cluster-cidr=${POD_CIDR}`,
        '--allocate-node-cidrs=false',
        '--leader-elect=false',
        '--bind-address=127.0.0.1',
        '--node-monitor-grace-period=20s',
      ],
    ],
    env,
  );
  processes.start(
    'scheduler',
    ['kubernetes', 'scheduler', `--kubeconfig=${state.kubeconfig('scheduler')}`, '--leader-elect=false', '--bind-address=127.0.0.1'],
    env,
  );
};
