import { spawn } from 'node:child_process';
import { runStep } from '@florin/local';
import type { NodePlan, StateDir } from '../layout.ts';
import { connectNode } from '../namespaces/network.ts';
import { cniDirectory, type Programs } from '../programs/programs.ts';
import { until } from '../until.ts';
import { CONTAINERD_SOCKET, writeNodeFiles } from './node-files.ts';
import type { Processes } from './processes.ts';

const START_TIMEOUT_MS = 30_000;
const IMPORT_TIMEOUT_MS = 120_000;

/** Settings of the kernel that a kubelet wants, which are those of the whole machine: it finds these values, and leaves the real ones alone. */
const KERNEL_SETTINGS: Readonly<Record<string, string>> = {
  'vm/overcommit_memory': '1',
  'vm/panic_on_oom': '0',
  'kernel/panic': '10',
  'kernel/panic_on_oops': '1',
  'kernel/keys/root_maxkeys': '1000000',
  'kernel/keys/root_maxbytes': '25000000',
};

/** A node sees the files of the machine, but has directories of its own where its programs write. */
const HOLD = `
mount --make-rshared /
for directory in /run /var/lib /var/log; do mount -t tmpfs tmpfs "$directory"; done
mkdir -p /run/lock /run/netns /run/kernel /var/lib/cni /var/lib/kubelet /var/log/containers
number=0
for setting in "$@"; do
  number=$((number + 1))
  echo "\${setting#*=}" > "/run/kernel/$number"
  mount --bind "/run/kernel/$number" "/proc/sys/\${setting%%=*}"
done
echo ready
exec sleep infinity
`;

/** A node that runs. */
export type ClusterNode = {
  plan: NodePlan;
  /** The command line of a program that runs on the node. */
  inside: (...command: readonly string[]) => [string, ...string[]];
  /** Makes images of an archive known to the node. */
  importImages: (archive: string) => Promise<void>;
};

/** Starts the process that the namespaces of a node belong to. @returns its pid */
const holdNamespaces = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const settings = Object.entries(KERNEL_SETTINGS).map(([name, value]) => `${name}=${value}`);
    const child = spawn('unshare', ['--mount', '--propagation', 'private', '--net', '--', '/bin/sh', '-ec', HOLD, 'sh', ...settings], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk.toString('utf8');
    });
    child.stdout.once('data', () => resolve(child.pid ?? 0));
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`the namespaces of a node cannot be made: ${errors.trim()}`)));
  });

/** Starts a node: its namespaces, containerd, the kubelet and kube-proxy. */
export const startNode = async (
  plan: NodePlan,
  { state, programs, processes, env }: { state: StateDir; programs: Programs; processes: Processes; env: NodeJS.ProcessEnv },
): Promise<ClusterNode> => {
  const pid = await holdNamespaces();
  await connectNode(plan, pid);
  const inside: ClusterNode['inside'] = (...command) => ['nsenter', '--target', String(pid), '--mount', '--net', '--', ...command];
  const files = writeNodeFiles(plan, state, cniDirectory(programs));
  const start = (name: string, ...command: readonly string[]): void =>
    void processes.start(`${plan.name}-${name}`, inside(...command), env);
  const ctr = (...args: readonly string[]): Promise<string> => {
    const [command, ...rest] = inside('ctr', '--address', CONTAINERD_SOCKET, '--namespace', 'k8s.io', ...args);
    return runStep({ command, args: rest, env, timeoutMs: IMPORT_TIMEOUT_MS });
  };
  start('containerd', 'containerd', '--config', files.containerd);
  await until(`the start of containerd on ${plan.name}`, () => ctr('version'), START_TIMEOUT_MS);
  start(
    'kubelet',
    ...[
      'kubernetes',
      'kubelet',
      `--config=${files.kubelet}`,
      `--kubeconfig=${state.kubeconfig(plan.name)}`,
      `--hostname-override=${plan.name}`,
    ],
    ...[`--node-ip=${plan.address}`, `--root-dir=${files.kubeletRoot}`, `--node-labels=topology.kubernetes.io/zone=${plan.zone}`, '--v=2'],
  );
  start('proxy', 'kubernetes', 'proxy', `--config=${files.proxy}`);
  return { plan, inside, importImages: async (archive) => void (await ctr('images', 'import', archive)) };
};
