import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ROOT } from '../support/settings.ts';

export type Floor = {
  url: string;
  /** Process ids by name. */
  pids: Readonly<Record<string, number>>;
  stop: () => void;
};

const start = async (file: string, message: object): Promise<{ child: ChildProcess; pid: number; url: string }> => {
  const child = fork(join(ROOT, 'test/bench', file));
  child.send(message);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { child, pid: child.pid ?? 0, url: `http://127.0.0.1:${port}` };
};

/**
 * Starts the floor, which does the least that a gateway in front of a service can do: an Express handler makes one POST with undici to a
 * bare HTTP server in another process, and returns its body as JSON.
 * @param bodies response bodies by path
 */
export const startFloor = async (bodies: Readonly<Record<string, unknown>>): Promise<Floor> => {
  const inner = await start('floor-inner.ts', bodies);
  const outer = await start('floor-express.ts', { origin: inner.url, paths: Object.keys(bodies) });
  return {
    url: outer.url,
    pids: { 'floor (Express)': outer.pid, 'floor (node:http)': inner.pid },
    stop: () => {
      outer.child.kill();
      inner.child.kill();
    },
  };
};
