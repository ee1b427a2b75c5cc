import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { runStep } from '../processes/run-step.ts';

export type RootUser = 'postgres' | 'redis';

export type RootBind = { from: string; to: 'data' | 'run' | 'bin' };

export type RootCommand = {
  root: string;
  user: RootUser;
  /** Directories of the machine, visible in the root as `/srv/florin/<to>`. */
  binds: readonly RootBind[];
  command: string;
  args: readonly string[];
};

/** Where a bind is seen by the programs of the root. */
export function insideRoot(to: RootBind['to']): string {
  return `/srv/florin/${to}`;
}

/**
 * The command line that runs a program of the package root.
 *
 * Each program gets a mount namespace of its own in which its directories are bound into the root. So any number of data
 * directories run side by side out of one root, each sees only its own at the same short path (a Unix socket's path may
 * have 107 bytes at most), nothing is mounted for anyone else, and the mounts vanish with the program: there is nothing to
 * unmount after a SIGKILL. The alternatives were running the binaries through the root's own loader (PostgreSQL then finds
 * neither itself nor its time zones) and keeping the data inside the root (then it is not the checkout's any more).
 *
 * Every step is an `exec`: the pid that is spawned is the program's own. The program runs without root's rights, and the
 * kernel sends it SIGINT (PostgreSQL's fast shutdown) when the launcher dies.
 */
export function inPackageRoot({ root, user, binds, command, args }: RootCommand): { command: string; args: string[] } {
  const pairs = binds.flatMap(({ from, to }) => [from, insideRoot(to)]);
  return {
    command: 'unshare',
    args: [
      ...['--mount', '--propagation', 'private', '--', '/bin/sh', '-ec', ENTER_ROOT, 'sh', root, user],
      ...[...pairs, '--', command, ...args],
    ],
  };
}

const ENTER_ROOT = `
root=$1 user=$2
shift 2
while [ "$1" != -- ]; do
  mount --bind "$1" "$root$2"
  shift 2
done
shift
mount --bind /proc "$root/proc"
# PostgreSQL's parallel queries share memory through /dev/shm; without a tmpfs it is a plain directory, only slower.
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm" || true
exec chroot "$root" setpriv --reuid "$user" --regid "$user" --init-groups --pdeathsig INT -- "$@"
`;

export function runInPackageRoot(command: RootCommand, timeoutMs: number, signal?: AbortSignal): Promise<string> {
  return runStep({ ...inPackageRoot(command), timeoutMs, ...(signal === undefined ? {} : { signal }) });
}

/** Makes `directory` and gives it, with all that is in it, to a user of the root (whose ids are not the machine's). */
export async function ownByRootUser(root: string, user: RootUser, directory: string): Promise<void> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const { uid, gid } = idsOf(root, user);
  // The ids change only when the root was built anew, so the walk is done when the top tells that it is needed.
  if (statSync(directory).uid === uid) return;
  await runStep({ command: 'chown', args: ['-R', `${uid}:${gid}`, directory], timeoutMs: 60_000 });
}

function idsOf(root: string, user: RootUser): { uid: number; gid: number } {
  const passwd = join(root, 'etc/passwd');
  const line = existsSync(passwd)
    ? readFileSync(passwd, 'utf8')
        .split('\n')
        .find((entry) => entry.startsWith(`${user}:`))
    : undefined;
  const [uid, gid] = (line?.split(':').slice(2, 4) ?? []).map(Number);
  if (uid === undefined || gid === undefined) throw new Error(`the package root has no user ${user}: remove ${root} and start again`);
  return { uid, gid };
}
