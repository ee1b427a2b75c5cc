import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { Health, HealthCheckResponse_ServingStatus as Status } from '@florin/proto/health/v1/health';
import { waitFor } from '@florin/rpc/testing/wait-for';

const START_TIMEOUT_MS = 120_000;

/** How long the health of a process is waited for, in milliseconds. */
const HEALTH_TIMEOUT_MS = 1000;

/** A process of a service that a bench or fault run starts, stops and kills by itself. */
export type ServiceProcess = {
  name: string;
  url: string;
  /** Pid of the current process; undefined while none is running. */
  pid: () => number | undefined;
  /** The signal that has ended the last process; null if it exited by itself, undefined while none has ended. */
  endedBy: () => NodeJS.Signals | null | undefined;
  /** Resolves once it serves. */
  start: () => Promise<void>;
  /** Stops the process, with SIGTERM unless another signal is named. */
  stop: (signal?: NodeJS.Signals) => Promise<void>;
};

type Options = {
  name: string;
  /** Where it serves. */
  url: string;
  /** Program and arguments. */
  command: readonly [string, ...string[]];
  env: NodeJS.ProcessEnv;
  logFile: string;
  /** Restarts the process when it exits without having been stopped. */
  respawn: boolean;
};

export const createServiceProcess = ({ name, url, command: [program, ...args], env, logFile, respawn }: Options): ServiceProcess => {
  const health = createClient(Health, createGrpcTransport({ baseUrl: url }));
  let running: ChildProcess | undefined;
  let endedBy: NodeJS.Signals | null | undefined;
  let wanted = false;

  const launch = (): void => {
    const log = openSync(logFile, 'a');
    const child = spawn(program, args, { env, stdio: ['ignore', log, 'inherit'] });
    closeSync(log);
    running = child;
    child.once('exit', (_code, signal) => {
      endedBy = signal;
      if (running === child) running = undefined;
      if (wanted && respawn) launch();
    });
  };

  const serves = async (): Promise<true | undefined> => {
    const answer = await health.check({}, { timeoutMs: HEALTH_TIMEOUT_MS }).catch(() => undefined);
    return answer?.status === Status.SERVING ? true : undefined;
  };

  return {
    name,
    url,
    pid: () => running?.pid,
    endedBy: () => endedBy,
    start: async () => {
      wanted = true;
      launch();
      await waitFor(`${name} to serve`, serves, START_TIMEOUT_MS);
    },
    stop: async (signal = 'SIGTERM') => {
      wanted = false;
      const child = running;
      if (child === undefined) return;
      child.kill('SIGCONT');
      child.kill(signal);
      await once(child, 'exit');
    },
  };
};
