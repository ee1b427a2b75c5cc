import { setTimeout as sleep } from 'node:timers/promises';
import { type LocalConfig, PORTS, PROCESS_NAMES, type ProcessName, portList } from './config.ts';
import { freePort, isListening, isPortFree } from './free-port.ts';
import type { Report } from './report.ts';

/** Raised when a required port is in use; the message names the variable that sets it. */
export class PortTakenError extends Error {
  constructor(port: number, owner: string, variable: string) {
    super(`Port ${port} (${owner}) is already in use. Stop the program that uses it, or set ${variable} to another port.`);
    this.name = 'PortTakenError';
  }
}

const POLL_MS = 100;
/** How long to wait for an outgoing connection to give up a default port. */
const WAIT_MS = 3_000;

/** How long to wait for a port, and how to find out whether it is free. */
type Waiting = { waitMs?: number; isFree?: (port: number) => Promise<boolean> };

type PortConfig = Pick<LocalConfig, 'ports' | 'requestedPorts' | 'mongodbPort' | 'redisPort'> & Partial<Pick<LocalConfig, 'chainNodePort'>>;

/** Rejects ports that another program uses, unless a free one can replace them. @throws PortTakenError */
export const requireFreePorts = async (config: PortConfig): Promise<void> => {
  for (const { port, owner, variable } of portList(config)) {
    if ((await isPortFree(port)) || (await isReplaceable(config, variable, port))) continue;
    throw new PortTakenError(port, owner, variable);
  }
};

/**
 * Returns the port of every process. The default ports of the services are in a range that operating systems use for outgoing
 * connections. A default port that such a connection occupies is waited for and then replaced by a free one; a port that was
 * requested, and a port on which another program listens, is never replaced.
 * @throws PortTakenError
 */
export const choosePorts = async (
  config: PortConfig,
  report: Report,
  { waitMs = WAIT_MS, isFree = isPortFree }: Waiting = {},
): Promise<Record<ProcessName, number>> => {
  await requireFreePorts(config);
  const choose = async (name: ProcessName): Promise<[ProcessName, number]> => {
    const port = config.ports[name];
    if (port === 0) return [name, await freePort()];
    if (await isFree(port)) return [name, port];
    report(`port ${port} (${name}) is in use by an outgoing connection; waiting for it`);
    if (await becomesFree(port, { waitMs, isFree })) return [name, port];
    const replacement = await freePort();
    report(`port ${port} (${name}) is still in use; using port ${replacement} instead (${PORTS[name].variable} sets another one)`);
    return [name, replacement];
  };
  return Object.fromEntries(await Promise.all(PROCESS_NAMES.map(choose))) as Record<ProcessName, number>;
};

const isReplaceable = async ({ requestedPorts }: PortConfig, variable: string, port: number): Promise<boolean> => {
  const isDefault = PROCESS_NAMES.some((name) => PORTS[name].variable === variable && !requestedPorts.includes(name));
  return isDefault && !(await isListening(port));
};

const becomesFree = async (port: number, { waitMs, isFree }: Required<Waiting>): Promise<boolean> => {
  const end = performance.now() + waitMs;
  while (performance.now() < end) {
    await sleep(POLL_MS);
    if (await isFree(port)) return true;
  }
  return false;
};
