import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A ledger in a process of its own, which can be stopped and killed. */
export const startLedgerProcess = async (environment: Record<string, string | undefined>) => {
  const main = fileURLToPath(new URL('../main.ts', import.meta.url));
  const child = spawn(process.execPath, [main], {
    env: { ...environment, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    return (await exited)[0];
  };
  const messages: string[] = [];
  const listening = Promise.withResolvers<string>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { msg, url } = JSON.parse(line) as { msg: string; url: string };
    messages.push(msg);
    if (msg === 'listening') listening.resolve(url);
  });
  void exited.then(() => listening.reject(new Error('the process ended before it listened')));
  const url = await listening.promise;
  return {
    url,
    /** Messages that it has logged. */
    messages,
    /** Stops it as a deployment does. Returns its exit code. */
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    suspend: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
  };
};

export type LedgerProcess = Awaited<ReturnType<typeof startLedgerProcess>>;
