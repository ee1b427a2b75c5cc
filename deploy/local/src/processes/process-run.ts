import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { reasonOf } from '../report.ts';
import { dieWithLauncher } from './die-with-launcher.ts';
import { openLogFile } from './log-file.ts';
import { removePidFile, writePidFile } from './pid-file.ts';
import { killGroupRemains, signalGroup } from './process-group.ts';
import type { ProcessContext, ProcessSpec } from './process-spec.ts';

/** One run of a supervised process, from its spawn to its exit. */
export type ProcessRun = {
  /** Undefined once the process has exited, or when it could not be spawned. */
  pid: () => number | undefined;
  /** Resolves with how the run ended, for example `exited with code 1`. Never rejects. */
  ended: Promise<string>;
  /** Sends `signal` to the process group, SIGKILL after `timeoutMs`, and resolves when the process has exited. */
  end: (signal: NodeJS.Signals, timeoutMs: number) => Promise<void>;
  /** Kills the process group without waiting. */
  kill: () => void;
  logPath: string;
  /** The last lines that this run wrote. */
  lastLines: (count: number) => string[];
  closeLog: () => void;
};

/**
 * Spawns the process and records its pid. It leads its own process group: Ctrl-C in a terminal reaches only the launcher,
 * and a kill reaches everything that the process has started.
 */
export const startRun = (spec: ProcessSpec, { runDir, logsDir }: ProcessContext): ProcessRun => {
  const log = openLogFile(logsDir, spec.name);
  let child: ChildProcess | undefined = spawnChild(spec, log.fd);
  const { pid } = child;
  if (pid !== undefined) writePidFile(runDir, spec.name, pid);
  const ended = new Promise<string>((resolve) => {
    child?.once('error', (error) => {
      if (pid === undefined) resolve(`cannot be started (${reasonOf(error)})`);
    });
    child?.once('exit', (code, signal) => {
      if (pid !== undefined) killGroupRemains(pid);
      child = undefined;
      removePidFile(runDir, spec.name);
      resolve(signal === null ? `exited with code ${code}` : `was killed by ${signal}`);
    });
  });
  return {
    pid: () => child?.pid,
    ended,
    end: async (signal, timeoutMs) => {
      if (child?.pid === undefined) return;
      signalGroup(child.pid, signal);
      const force = setTimeout(() => child?.pid !== undefined && signalGroup(child.pid, 'SIGKILL'), timeoutMs);
      await ended;
      clearTimeout(force);
    },
    kill: () => {
      if (child?.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
    },
    logPath: log.path,
    lastLines: log.tail,
    closeLog: log.close,
  };
};

const spawnChild = (spec: ProcessSpec, logFd: number): ChildProcess => {
  const { env, cwd, ipc, signalWhenOrphaned } = spec;
  const stdio: StdioOptions = ipc === true ? ['ignore', logFd, logFd, 'ipc'] : ['ignore', logFd, logFd];
  const { command, args } = signalWhenOrphaned === undefined ? spec : dieWithLauncher(signalWhenOrphaned, spec);
  return spawn(command, args, {
    stdio,
    detached: true,
    ...(env === undefined ? {} : { env }),
    ...(cwd === undefined ? {} : { cwd }),
  });
};
