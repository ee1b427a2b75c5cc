import { type LocalConfig, PORTS, PROCESS_NAMES, type ProcessName, portList, readConfig } from './config.ts';
import { openDataDir } from './data-dir.ts';
import { startEnginesIn } from './engines/start-engines.ts';
import { freePort, isPortFree } from './free-port.ts';
import { ensureKeys } from './keys.ts';
import type { Report } from './report.ts';
import { type PlatformUrls, serviceProcess } from './service-processes.ts';
import { type ProcessInfo, Supervisor } from './supervisor.ts';

export type PlatformOptions = {
  /** The checkout. */
  rootDir: string;
  /** Where everything that lasts is kept; default `FLORIN_DATA_DIR`, else `.florin` in the checkout. */
  dataDir?: string;
  env: NodeJS.ProcessEnv;
  report: Report;
  /** Cancels a start that is under way. */
  signal?: AbortSignal;
};

export type Platform = {
  urls: PlatformUrls;
  mongodbUri: string;
  redisUrl: string;
  dataDir: string;
  processes(): ProcessInfo[];
  /** Stops gateway, services and engines in this order. */
  stop(): Promise<void>;
  /** Kills everything at once. */
  kill(): void;
};

/** A port that was asked for is used by someone else; the message is one sentence for people. */
export class PortTakenError extends Error {
  constructor(port: number, owner: string, variable: string) {
    super(`Port ${port} (${owner}, ${variable}) is taken: stop what listens there or set ${variable}.`);
    this.name = 'PortTakenError';
  }
}

/**
 * Brings up the whole platform on one machine.
 * @throws ConfigError, DataDirInUseError, PortTakenError, NoEngineError, ProcessStartError; nothing is left running then
 */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const { rootDir, env, report, signal } = options;
  const asked = readConfig(env, rootDir);
  // Before the ports: this ends what a killed launcher has left listening on them.
  const dataDir = await openDataDir(options.dataDir ?? asked.dataDir, report);
  const supervisor = new Supervisor({ runDir: dataDir.runDir, logsDir: dataDir.logsDir, report });
  const stop = async (): Promise<void> => {
    await supervisor.stop();
    dataDir.release();
  };
  const onCancel = (): void => void supervisor.stop();
  signal?.addEventListener('abort', onCancel, { once: true });
  try {
    await refuseTakenPorts(asked);
    const config = { ...asked, ports: await withFreePorts(asked.ports) };
    const urls = urlsOf(config.ports);
    const keys = await ensureKeys(dataDir.path);
    const { mongodb, redis } = await startEnginesIn(dataDir, supervisor, {
      dataDir: dataDir.path,
      report,
      env,
      ...(signal === undefined ? {} : { signal }),
    });
    signal?.throwIfAborted();
    const setting = { rootDir, env, config, keys, urls, mongodbUri: mongodb.uri, redisUrl: redis.uri };
    const services = PROCESS_NAMES.filter((name) => name !== 'gateway');
    report(`starting ${services.join(', ')}`);
    await allOrFirstFailure(services.map((name) => supervisor.start(serviceProcess(name, setting))));
    report('starting gateway');
    await supervisor.start(serviceProcess('gateway', setting));
    return {
      urls,
      mongodbUri: mongodb.uri,
      redisUrl: redis.uri,
      dataDir: dataDir.path,
      processes: () => supervisor.processes(),
      stop,
      kill: () => supervisor.kill(),
    };
  } catch (error) {
    await stop();
    // What broke because it was stopped is no cause.
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', onCancel);
  }
}

/** Waits for all, so that nothing goes on behind the caller's back, then throws what failed first. */
async function allOrFirstFailure(jobs: readonly Promise<unknown>[]): Promise<void> {
  const failures: unknown[] = [];
  await Promise.all(jobs.map((job) => job.catch((error: unknown) => failures.push(error))));
  if (failures.length > 0) throw failures[0];
}

async function refuseTakenPorts(config: LocalConfig): Promise<void> {
  for (const { port, owner, variable } of portList(config)) {
    if (!(await isPortFree(port))) throw new PortTakenError(port, owner, variable);
  }
}

async function withFreePorts(asked: Record<ProcessName, number>): Promise<Record<ProcessName, number>> {
  const ports = { ...asked };
  for (const name of PROCESS_NAMES) if (ports[name] === 0) ports[name] = await freePort();
  return ports;
}

function urlsOf(ports: Record<ProcessName, number>): PlatformUrls {
  const entries = PROCESS_NAMES.map((name) => [name, `http://127.0.0.1:${ports[name]}`]);
  return Object.fromEntries(entries) as PlatformUrls;
}

/** What listens where, one line each. */
export function describePlatform(platform: Platform): string[] {
  const width = Math.max(...PROCESS_NAMES.map((name) => name.length));
  return PROCESS_NAMES.map((name) => `${name.padEnd(width)}  ${platform.urls[name]}  (${PORTS[name].variable})`);
}
