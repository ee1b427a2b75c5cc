import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const COMMAND_TIMEOUT_MS = 10_000;
const PREFIX_LENGTH = 24;

const ip = async (...args: string[]): Promise<void> => {
  await run('ip', args, { timeout: COMMAND_TIMEOUT_MS });
};

/** A network namespace of its own for one process. */
export type NetworkPlace = {
  address: string;
  /** Begins the command line of a process that runs there; the process keeps the pid of that command. */
  command: readonly [string, ...string[]];
  /** Address of this process, as seen from there. */
  hostAddress: string;
  /** Packets between places that are isolated are dropped without a word; this process still reaches them. */
  isolate: (isolated: boolean) => Promise<void>;
  /** Without its cable the place reaches nobody, and nobody reaches it; connections stay open. */
  plug: (plugged: boolean) => Promise<void>;
};

export type Network = { places: readonly NetworkPlace[]; close: () => Promise<void> };

/**
 * Opens network namespaces that are connected by a bridge (Linux, iproute2).
 * @throws Error when they are not allowed, or not available
 */
export const openNetwork = async (count: number): Promise<Network> => {
  const [id, subnet] = [`fl${process.pid}`, `10.${200 + ((process.pid >> 8) & 31)}.${process.pid & 255}`];
  const [bridge, hostAddress] = [`${id}b`, `${subnet}.1`];
  const nameOf = (index: number): string => `${id}n${index}`;
  const close = async (): Promise<void> => {
    for (let index = 1; index <= count; index += 1) await ip('netns', 'del', nameOf(index)).catch(() => undefined);
    await ip('link', 'del', bridge).catch(() => undefined);
  };
  const openPlace = async (index: number): Promise<NetworkPlace> => {
    const [name, port, address] = [nameOf(index), `${id}v${index}`, `${subnet}.${index + 1}`];
    await ip('netns', 'add', name);
    await ip('link', 'add', port, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
    await ip('link', 'set', port, 'master', bridge, 'up');
    await ip('-n', name, 'addr', 'add', `${address}/${PREFIX_LENGTH}`, 'dev', 'eth0');
    for (const device of ['eth0', 'lo']) await ip('-n', name, 'link', 'set', device, 'up');
    return {
      address,
      hostAddress,
      command: ['ip', 'netns', 'exec', name],
      isolate: (isolated) => ip('link', 'set', 'dev', port, 'type', 'bridge_slave', 'isolated', isolated ? 'on' : 'off'),
      plug: (plugged) => ip('link', 'set', port, plugged ? 'up' : 'down'),
    };
  };
  try {
    await ip('link', 'add', bridge, 'type', 'bridge');
    await ip('addr', 'add', `${hostAddress}/${PREFIX_LENGTH}`, 'dev', bridge);
    await ip('link', 'set', bridge, 'up');
    const places: NetworkPlace[] = [];
    for (let index = 1; index <= count; index += 1) places.push(await openPlace(index));
    return { places, close };
  } catch (error) {
    await close();
    throw error;
  }
};
