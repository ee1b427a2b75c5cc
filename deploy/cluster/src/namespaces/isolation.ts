import { spawn } from 'node:child_process';

/** Set in the environment of the process inside of the namespaces. */
const INSIDE = 'FLORIN_CLUSTER_INSIDE';

export const isInside = (env: NodeJS.ProcessEnv): boolean => env[INSIDE] !== undefined;

/** When the outer process started (milliseconds since the epoch), as the process inside knows it; now when this is the outer one. */
export const launchedAt = (env: NodeJS.ProcessEnv): number => Number(env[INSIDE] ?? performance.timeOrigin);

/**
 * Runs this program again in namespaces of its own (mounts, network, processes), and waits for its end. The network has no device but loopback, so
 * nothing leaves it. When this process or the program ends, even by SIGKILL, the kernel ends every process in the namespaces, and with them their
 * mounts and networks: only files and empty control groups remain.
 *
 * The first process is a shell, which reaps the processes that others leave behind.
 * @returns the exit code of the program
 */
export const runInNamespaces = (argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> => {
  const child = spawn(
    'setpriv',
    [
      ...['--pdeathsig', 'KILL', '--', 'unshare', '--mount', '--propagation', 'private', '--net', '--pid', '--fork', '--kill-child=KILL'],
      ...['--mount-proc', '--', '/bin/sh', '-c', '"$@"; exit $?', 'sh', process.execPath, ...argv],
    ],
    { stdio: 'inherit', env: { ...env, [INSIDE]: String(performance.timeOrigin) } },
  );
  const stop = (): void => void child.kill('SIGKILL');
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
};
