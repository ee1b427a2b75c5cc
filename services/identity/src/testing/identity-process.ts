import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Environment, processEnvironment } from '@florin/rpc/config';

/** Where a process ends: at the `nth` call (from 1) of this name that a registration makes, before or after it was done. */
export type Doom = { call: string; nth: number; when: 'before' | 'after' };

const ENTRIES = {
  /** What runs in production. */
  main: fileURLToPath(new URL('../main.ts', import.meta.url)),
  /** The same, mortal. */
  doomed: fileURLToPath(new URL('./doomed-main.ts', import.meta.url)),
};

export type IdentityProcess = {
  url: string;
  /** Tells a doomed one where to end. */
  arm: (doom: Doom) => Promise<void>;
  /** SIGKILL. */
  kill: () => void;
  /** The signal that ended it. */
  ended: Promise<NodeJS.Signals | null>;
};

const urlOf = async (child: ChildProcess): Promise<string> => {
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    const [, url] = /"url":"([^"]+)"/.exec(text) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(`identity ended before it listened: ${text}`);
};

/** Starts identity as a process of its own, and waits until it listens. */
export const startIdentityProcess = async (entry: keyof typeof ENTRIES, env: Environment): Promise<IdentityProcess> => {
  const { PATH } = processEnvironment();
  const child = spawn(process.execPath, [ENTRIES[entry]], { env: { PATH, ...env }, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const ended = once(child, 'exit').then(([, signal]) => signal as NodeJS.Signals | null);
  return {
    url: await urlOf(child),
    ended,
    kill: () => child.kill('SIGKILL'),
    arm: async (doom) => {
      const armed = once(child, 'message');
      child.send(doom);
      await armed;
    },
  };
};
