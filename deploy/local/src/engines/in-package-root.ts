import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { runStep } from '../processes/run-step.ts';

export type RootUser = 'postgres' | 'redis';

export type RootBind = { from: string; to: 'data' | 'run' | 'bin' };

export type RootCommand = {
  root: string;
  user: RootUser;
  /** Directories of the machine that are mounted in the root as `/srv/florin/<to>`. */
  binds: readonly RootBind[];
  command: string;
  args: readonly string[];
};

/** Returns the path of a mounted directory as programs in the root see it. */
export const insideRoot = (to: RootBind['to']): string => {
  return `/srv/florin/${to}`;
};

/**
 * Returns the command line that runs a program of the package root.
 *
 * Each program gets its own mount namespace, in which its directories are bind-mounted into the root. Any number of data directories
 * can therefore use the same root, each under the same short path (the path of a Unix socket is limited to 107 bytes). The mounts are
 * not visible to other processes and end with the program, so there is nothing to unmount after SIGKILL. Two alternatives do not work:
 * started through the root's dynamic loader, PostgreSQL finds neither its own files nor its time zones; and data inside the root would
 * not belong to the checkout.
 *
 * Every step is an `exec`, so the spawned pid is the pid of the program. The program runs as an unprivileged user, and the kernel
 * sends it SIGINT (PostgreSQL's fast shutdown) when the launcher dies.
 */
export const inPackageRoot = ({ root, user, binds, command, args }: RootCommand): { command: string; args: string[] } => {
  const pairs = binds.flatMap(({ from, to }) => [from, insideRoot(to)]);
  return {
    command: 'unshare',
    args: [
      ...['--mount', '--propagation', 'private', '--', '/bin/sh', '-ec', ENTER_ROOT, 'sh', root, user],
      ...[...pairs, '--', command, ...args],
    ],
  };
};

const ENTER_ROOT = `
root=$1 user=$2
shift 2
while [ "$1" != -- ]; do
  mount --bind "$1" "$root$2"
  shift 2
done
shift
mount --bind /proc "$root/proc"
# Parallel queries of PostgreSQL share memory through /dev/shm. Without a tmpfs it is an ordinary directory, which is slower.
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm" || true
exec chroot "$root" setpriv --reuid "$user" --regid "$user" --init-groups --pdeathsig INT -- "$@"
`;

/** Runs a program of the package root to completion and returns its output. @throws StepError */
export const runInPackageRoot = (command: RootCommand, timeoutMs: number, signal?: AbortSignal): Promise<string> => {
  return runStep({ ...inPackageRoot(command), timeoutMs, ...(signal === undefined ? {} : { signal }) });
};

/** Creates `directory` and makes a user of the root its owner, recursively. User ids in the root differ from the machine's. */
export const ownByRootUser = async (root: string, user: RootUser, directory: string): Promise<void> => {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const { uid, gid } = idsOf(root, user);
  // Ids change only when the root is rebuilt, and then for the whole tree, so checking the top directory is enough.
  if (statSync(directory).uid === uid) return;
  await runStep({ command: 'chown', args: ['-R', `${uid}:${gid}`, directory], timeoutMs: 60_000 });
};

const idsOf = (root: string, user: RootUser): { uid: number; gid: number } => {
  const passwd = join(root, 'etc/passwd');
  const line = existsSync(passwd)
    ? readFileSync(passwd, 'utf8')
        .split('\n')
        .find((entry) => entry.startsWith(`${user}:`))
    : undefined;
  const [uid, gid] = (line?.split(':').slice(2, 4) ?? []).map(Number);
  if (uid === undefined || gid === undefined) throw new Error(`the package root has no user ${user}; remove ${root} and start again`);
  return { uid, gid };
};
