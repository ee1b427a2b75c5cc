import { setTimeout as sleep } from 'node:timers/promises';
import { prefixed, reasonOf } from '../report.ts';
import { type ProcessRun, startRun } from './process-run.ts';
import { type ProcessContext, type ProcessSpec, ProcessStartError } from './process-spec.ts';

export type SupervisedProcess = {
  spec: ProcessSpec;
  /** Pid of the current run; undefined while the process is not running. */
  pid: () => number | undefined;
  /** Number of restarts since `start`. */
  restarts: () => number;
  /** Starts the process and resolves when it is ready. @throws ProcessStartError, with nothing left running */
  start: () => Promise<void>;
  /** Stops the process and resolves when it has exited; it is not restarted. */
  stop: () => Promise<void>;
  /** Kills the process group immediately and prevents restarts; call `stop` to clean up. */
  kill: () => void;
};

const PROBE_INTERVAL_MS = 50;
const FIRST_BACKOFF_MS = 200;
const MAX_BACKOFF_MS = 10_000;
/** After this much uptime the backoff starts over. */
const STABLE_AFTER_MS = 30_000;
const READY_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 10_000;
const LOG_LINES_IN_ERROR = 12;

/**
 * One child process that is kept running.
 *
 *   start() ─ ready ─→ running ─ exits ─→ backoff ─→ running …
 *      └ exits or times out before it is ready: ProcessStartError
 *   stop(), from any state: stop signal, SIGKILL after a timeout, no restart
 */
export const createSupervisedProcess = (spec: ProcessSpec, context: ProcessContext): SupervisedProcess => {
  const report = prefixed(context.report, spec.name);
  const stopping = new AbortController();
  let run: ProcessRun | undefined;
  let restarts = 0;
  let keeper: Promise<void> = Promise.resolve();

  /** Starts a run and waits until it is ready; resolves with the reason if it is not. Never rejects. */
  const launch = async (): Promise<string | undefined> => {
    try {
      await spec.beforeStart?.();
      if (stopping.signal.aborted) return 'was stopped while starting';
      run?.closeLog();
      run = startRun(spec, context);
    } catch (error) {
      return `cannot be started (${reasonOf(error)})`;
    }
    return readyOrReason(spec, run);
  };

  /** Restarts the process with exponential backoff until it is ready; resolves with the number of attempts, or undefined when it is being stopped. */
  const restart = async (firstAttempt: number): Promise<number | undefined> => {
    for (let attempt = firstAttempt; ; attempt += 1) {
      await sleep(Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** attempt), undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return undefined;
      restarts += 1;
      const failure = await launch();
      if (stopping.signal.aborted) return undefined;
      if (failure === undefined) return attempt + 1;
      report(`${failure}; retrying`);
      await run?.end('SIGKILL', 0);
    }
  };

  const keepRunning = async (): Promise<void> => {
    let attempt: number | undefined = 0;
    while (attempt !== undefined) {
      const readyAt = performance.now();
      const how = await run?.ended;
      if (stopping.signal.aborted) return;
      report(`${how}; restarting`);
      attempt = await restart(performance.now() - readyAt > STABLE_AFTER_MS ? 0 : attempt);
      if (attempt !== undefined) report('is running again');
    }
  };

  const stop = async (): Promise<void> => {
    stopping.abort();
    await run?.end(spec.stopSignal ?? 'SIGTERM', spec.stopTimeoutMs ?? STOP_TIMEOUT_MS);
    await keeper;
    run?.closeLog();
    run = undefined;
  };

  return {
    spec,
    pid: () => run?.pid(),
    restarts: () => restarts,
    start: async () => {
      const failure = await launch();
      if (failure !== undefined) {
        const error = new ProcessStartError(spec.name, failure, run?.lastLines(LOG_LINES_IN_ERROR) ?? [], run?.logPath ?? context.logsDir);
        await stop();
        throw error;
      }
      keeper = keepRunning();
    },
    stop,
    kill: () => {
      stopping.abort();
      run?.kill();
    },
  };
};

/** Resolves with undefined when the process is ready, otherwise with the reason why it is not. */
const readyOrReason = async (spec: ProcessSpec, run: ProcessRun): Promise<string | undefined> => {
  const timeoutMs = spec.readyTimeoutMs ?? READY_TIMEOUT_MS;
  const settled = new AbortController();
  try {
    return await Promise.race([
      run.ended,
      untilReady(spec, settled.signal),
      sleep(timeoutMs, `was not ready within ${Math.round(timeoutMs / 1000)} s`, { signal: settled.signal }),
    ]);
  } finally {
    settled.abort();
  }
};

const untilReady = async (spec: ProcessSpec, signal: AbortSignal): Promise<undefined> => {
  while (!signal.aborted) {
    if (await spec.isReady().catch(() => false)) return;
    await sleep(PROBE_INTERVAL_MS);
  }
};
