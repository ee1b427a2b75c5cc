import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Environment, processEnvironment } from '@florin/rpc/config';

/** Where a registration stops: before or after the `nth` call (from 1) with this name. */
export type Doom = { call: string; nth: number; when: 'before' | 'after' };

const ENTRIES = {
  /** The production entry point. */
  main: fileURLToPath(new URL('../main.ts', import.meta.url)),
  /** The entry point in which registrations stop on request. */
  doomed: fileURLToPath(new URL('./doomed-main.ts', import.meta.url)),
};

export type IdentityProcess = {
  url: string;
  /** Tells the process where the next registration stops. @returns once that is known, a wait for the stop */
  arm: (doom: Doom) => Promise<{ stopped: Promise<unknown> }>;
  /** SIGKILL. */
  kill: () => void;
  /** The signal that ended the process. */
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

/** Starts identity in a process of its own and waits until it listens. */
export const startIdentityProcess = async (entry: keyof typeof ENTRIES, env: Environment): Promise<IdentityProcess> => {
  const { PATH, NODE_COMPILE_CACHE } = processEnvironment();
  const child = spawn(process.execPath, [ENTRIES[entry]], {
    env: { PATH, NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(([, signal]) => signal as NodeJS.Signals | null);
  return {
    url: await urlOf(child),
    ended,
    kill: () => child.kill('SIGKILL'),
    arm: async (doom) => {
      const armed = once(child, 'message');
      child.send(doom);
      await armed;
      return { stopped: once(child, 'message') };
    },
  };
};
