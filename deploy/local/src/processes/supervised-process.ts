import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { prefixed, type Report, reasonOf } from '../report.ts';
import { dieWithLauncher } from './die-with-launcher.ts';
import { type LogFile, openLogFile } from './log-file.ts';
import { removePidFile, writePidFile } from './pid-file.ts';
import { killGroupRemains, signalGroup } from './process-group.ts';

export type ProcessSpec = {
  /** Unique in its supervisor; names the log and the pid file. */
  name: string;
  /** What it belongs to in the order of starting; tiers are stopped from the highest to the lowest. */
  tier: number;
  command: string;
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** Answers whether the process does its work now. Must be bounded in time by itself; a throw counts as 'not yet'. */
  isReady(): Promise<boolean>;
  /** How long it may take until it is ready. */
  readyTimeoutMs?: number;
  stopSignal?: NodeJS.Signals;
  /** How long after the stop signal it is killed. */
  stopTimeoutMs?: number;
  /** Opens an IPC channel, by which a Node child notices that the launcher is gone. */
  ipc?: boolean;
  /** Signal that the kernel sends to the child when the launcher dies (Linux; elsewhere the next start sweeps). */
  signalWhenOrphaned?: NodeJS.Signals;
  /** Runs before each start, restarts included: removes stale locks. */
  beforeStart?(): Promise<void>;
};

export type ProcessContext = { runDir: string; logsDir: string; report: Report };

type Exit = { how: string };

/** Raised when a process does not get ready at its first start; the message holds the last lines that it wrote. */
export class ProcessStartError extends Error {
  readonly processName: string;

  constructor(processName: string, how: string, lines: readonly string[], logPath: string) {
    const tail = lines.map((line) => `\n    ${line}`).join('');
    super(`${processName} ${how}. Its last lines (all of them in ${logPath}):${tail === '' ? ' none' : tail}`);
    this.name = 'ProcessStartError';
    this.processName = processName;
  }
}

const PROBE_INTERVAL_MS = 50;
const FIRST_BACKOFF_MS = 200;
const MAX_BACKOFF_MS = 10_000;
/** A process that was up for this long has proven itself: its next restart is immediate again. */
const STEADY_MS = 30_000;

/**
 * One child process that is kept alive.
 *
 *   start() ─ ready ─→ running ─ exits ─→ backoff ─→ running …
 *      └ exits or times out before ready: ProcessStartError, nothing left running
 *   stop(): signal, then SIGKILL after a bound; from any state; no restart afterwards
 *
 * The child leads its own process group, so that a terminal's Ctrl-C reaches only the launcher and a kill reaches all
 * that the child has started.
 */
export class SupervisedProcess {
  readonly spec: ProcessSpec;
  restarts = 0;
  private readonly context: ProcessContext;
  private readonly report: Report;
  private readonly stopping = new AbortController();
  private child: ChildProcess | undefined;
  private exited: Promise<Exit> = Promise.resolve({ how: 'was never started' });
  private log: LogFile | undefined;
  private keeper: Promise<void> = Promise.resolve();

  constructor(spec: ProcessSpec, context: ProcessContext) {
    this.spec = spec;
    this.context = context;
    this.report = prefixed(context.report, spec.name);
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  async start(): Promise<void> {
    const failure = await this.launch();
    if (failure !== undefined) {
      const lines = this.log?.tail(12) ?? [];
      const logPath = this.log?.path ?? this.context.logsDir;
      await this.stop();
      throw new ProcessStartError(this.spec.name, failure, lines, logPath);
    }
    this.keeper = this.keepAlive();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.end(this.spec.stopSignal ?? 'SIGTERM', this.spec.stopTimeoutMs ?? 10_000);
    await this.keeper;
    this.log?.close();
    this.log = undefined;
  }

  /** Kills the group at once and starts nothing again; `stop()` then only cleans up. */
  kill(): void {
    this.stopping.abort();
    if (this.child?.pid !== undefined) signalGroup(this.child.pid, 'SIGKILL');
  }

  private async keepAlive(): Promise<void> {
    let attempt = 0;
    let readyAt = Date.now();
    for (;;) {
      const { how } = await this.exited;
      if (this.stopping.signal.aborted) return;
      if (Date.now() - readyAt > STEADY_MS) attempt = 0;
      this.report(`${how}; starting it again`);
      for (;;) {
        const delay = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** attempt++);
        if (!(await this.pause(delay))) return;
        this.restarts++;
        const failure = await this.launch();
        if (this.stopping.signal.aborted) return;
        if (failure === undefined) break;
        this.report(`${failure}; trying again`);
        await this.end('SIGKILL', 0);
      }
      readyAt = Date.now();
      this.report('is back');
    }
  }

  /** Starts the child and waits until it is ready; answers why it is not, or undefined. Never rejects. */
  private async launch(): Promise<string | undefined> {
    try {
      await this.spec.beforeStart?.();
      if (this.stopping.signal.aborted) return 'was stopped while starting';
      this.spawnChild();
    } catch (error) {
      return `cannot be started (${reasonOf(error)})`;
    }
    const timeoutMs = this.spec.readyTimeoutMs ?? 60_000;
    const settled = new AbortController();
    try {
      return await Promise.race([
        this.exited.then(({ how }) => how),
        this.untilReady(settled.signal),
        sleep(timeoutMs, `was not ready within ${Math.round(timeoutMs / 1000)} s`, { signal: settled.signal }),
      ]);
    } finally {
      settled.abort();
    }
  }

  private spawnChild(): void {
    const { name, env, cwd } = this.spec;
    this.log?.close();
    this.log = openLogFile(this.context.logsDir, name);
    const { fd } = this.log;
    const stdio: StdioOptions = this.spec.ipc === true ? ['ignore', fd, fd, 'ipc'] : ['ignore', fd, fd];
    const { command, args } = this.commandLine();
    const child = spawn(command, args, {
      stdio,
      detached: true,
      ...(env === undefined ? {} : { env }),
      ...(cwd === undefined ? {} : { cwd }),
    });
    this.child = child;
    if (child.pid !== undefined) writePidFile(this.context.runDir, name, child.pid);
    this.exited = new Promise((resolve) => {
      child.once('error', (error) => {
        if (child.pid === undefined) resolve({ how: `cannot be started (${reasonOf(error)})` });
      });
      child.once('exit', (code, signal) => {
        if (child.pid !== undefined) killGroupRemains(child.pid);
        if (this.child === child) this.child = undefined;
        removePidFile(this.context.runDir, name);
        resolve({ how: signal === null ? `exited with code ${code}` : `was killed by ${signal}` });
      });
    });
  }

  private commandLine(): { command: string; args: readonly string[] } {
    const { signalWhenOrphaned } = this.spec;
    return signalWhenOrphaned === undefined ? this.spec : dieWithLauncher(signalWhenOrphaned, this.spec);
  }

  private async untilReady(signal: AbortSignal): Promise<undefined> {
    for (;;) {
      if (await this.spec.isReady().catch(() => false)) return undefined;
      if (signal.aborted) return undefined;
      await sleep(PROBE_INTERVAL_MS);
    }
  }

  private async end(signal: NodeJS.Signals, timeoutMs: number): Promise<void> {
    const pid = this.child?.pid;
    if (pid === undefined) return;
    signalGroup(pid, signal);
    const force = setTimeout(() => signalGroup(pid, 'SIGKILL'), timeoutMs);
    await this.exited;
    clearTimeout(force);
  }

  /** Answers false when the process was told to stop meanwhile. */
  private async pause(ms: number): Promise<boolean> {
    try {
      await sleep(ms, undefined, { signal: this.stopping.signal });
      return true;
    } catch {
      return false;
    }
  }
}
