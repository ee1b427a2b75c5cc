import type { Report } from '../report.ts';

/** A process to supervise: its command, how to tell that it is ready, and how it is stopped. */
export type ProcessSpec = {
  /** Unique in its supervisor; names the log file and the pid file. */
  name: string;
  /** Position in the order of stopping: tiers are stopped from the highest to the lowest. */
  tier: number;
  command: string;
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** Reports whether the process can do its work now. Must bound its own time; a rejection counts as not ready. */
  isReady: () => Promise<boolean>;
  /** Longest time until it is ready, in milliseconds. Default 60 s. */
  readyTimeoutMs?: number;
  /** Signal that asks it to stop. Default SIGTERM. */
  stopSignal?: NodeJS.Signals;
  /** Time between the stop signal and SIGKILL, in milliseconds. Default 10 s. */
  stopTimeoutMs?: number;
  /** Opens an IPC channel; its `disconnect` event tells a Node child that the launcher is gone. */
  ipc?: boolean;
  /** Signal that the kernel sends to the child when the launcher dies (Linux only; elsewhere the next start stops it). */
  signalWhenOrphaned?: NodeJS.Signals;
  /** Runs before every start, restarts included, for example to remove stale lock files. */
  beforeStart?: () => Promise<void>;
};

/** The parts that all processes of a supervisor share. */
export type ProcessContext = { runDir: string; logsDir: string; report: Report };

/** Raised when a process does not become ready on its first start; the message includes the last lines of its log. */
export class ProcessStartError extends Error {
  readonly processName: string;

  constructor(processName: string, how: string, lines: readonly string[], logPath: string) {
    const tail =
      lines.length === 0 ? 'It wrote nothing to its log.' : `Last lines of its log:${lines.map((line) => `\n    ${line}`).join('')}`;
    super(`${processName} ${how} (log: ${logPath}). ${tail}`);
    this.name = 'ProcessStartError';
    this.processName = processName;
  }
}
