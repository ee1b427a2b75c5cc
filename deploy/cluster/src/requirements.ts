import { findCommand, findGo, runStep } from '@florin/local';
import { hasControlGroups } from './namespaces/cgroups.ts';

const TIMEOUT_MS = 10_000;

const TOOLS = ['unshare', 'nsenter', 'setpriv', 'ip', 'sysctl', 'mount', 'ldconfig', 'apt-get', 'dpkg-deb', 'openssl', 'npm'] as const;

/** Reports whether namespaces can be made, and devices in them. */
const mayMakeNamespaces = (): Promise<boolean> =>
  runStep({
    command: 'unshare',
    args: [
      '--mount',
      '--net',
      '--pid',
      '--fork',
      '/bin/sh',
      '-ec',
      'ip link add nodes type bridge; ip link add one type veth peer name two',
    ],
    timeoutMs: TIMEOUT_MS,
  }).then(
    () => true,
    () => false,
  );

/** The tools that this machine lacks for a cluster, in one line, or undefined. */
export const missingRequirement = async (env: NodeJS.ProcessEnv): Promise<string | undefined> => {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'it requires Linux on x86-64';
  if (process.getuid?.() !== 0) return 'it requires root, because it makes network namespaces and control groups';
  const missing = TOOLS.find((tool) => findCommand(tool, env) === undefined);
  if (missing !== undefined) return `it requires ${missing}, which is not on the PATH`;
  if (findGo(env) === undefined) return 'it requires Go to build Kubernetes, and `go` is not on the PATH';
  if (!hasControlGroups()) return 'it requires control groups of version 1 (a hybrid hierarchy), mounted at /sys/fs/cgroup';
  if (!(await mayMakeNamespaces()))
    return 'it requires the permission to make namespaces and network devices (in a container: --privileged)';
  return undefined;
};
