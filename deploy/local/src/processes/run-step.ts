import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { reasonOf } from '../report.ts';
import { dieWithLauncher } from './die-with-launcher.ts';
import { signalGroup } from './process-group.ts';

export type Step = {
  command: string;
  args: readonly string[];
  /** The whole environment of the program. Default: that of this process. */
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** The standard input of the program. Default: nothing. */
  input?: string;
  timeoutMs: number;
  signal?: AbortSignal;
  /** A file to which all output is appended. */
  logPath?: string;
};

/** Raised when a step fails, times out or is cancelled; the message ends with the last line of its output. */
export class StepError extends Error {
  readonly output: string;

  constructor(command: string, how: string, output: string) {
    const lastLine = output.trim().split('\n').at(-1)?.trim() ?? '';
    super(`${command} ${how}${lastLine === '' ? '' : `: ${lastLine.slice(0, 300)}`}`);
    this.name = 'StepError';
    this.output = output;
  }
}

/** In characters; only the end of a longer output is kept. */
const MAX_OUTPUT = 64 * 1024;

/**
 * Runs a program to completion and returns its standard output. The program leads its own process group: Ctrl-C in a terminal
 * reaches only the launcher, and a timeout or cancellation kills everything that the program has started. The kernel kills the
 * program when the launcher dies. Not `execa`: its timeout and cancellation kill the program only, and its output limit fails the
 * program instead of keeping the end of the output.
 * @throws StepError
 */
export const runStep = (step: Step): Promise<string> => {
  const name = step.command.split('/').at(-1) ?? step.command;
  return new Promise((resolve, reject) => {
    const { command, args } = dieWithLauncher('SIGKILL', step);
    const child = spawn(command, args, {
      stdio: [step.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      detached: true,
      ...(step.env === undefined ? {} : { env: step.env }),
      ...(step.cwd === undefined ? {} : { cwd: step.cwd }),
    }) as ChildProcessByStdio<Writable | null, Readable, Readable>;
    // A program may end before it has read its input: how it ends says whether it failed.
    child.stdin?.on('error', () => undefined).end(step.input);
    let stdout = '';
    let all = '';
    let killReason: string | undefined;
    const keep = (chunk: Buffer): void => {
      all = (all + chunk.toString('utf8')).slice(-MAX_OUTPUT);
      if (step.logPath !== undefined) appendFileSync(step.logPath, chunk, { mode: 0o600 });
    };
    child.stderr.on('data', keep);
    child.stdout.on('data', (chunk: Buffer) => {
      stdout = (stdout + chunk.toString('utf8')).slice(-MAX_OUTPUT);
      keep(chunk);
    });
    const kill = (reason: string): void => {
      killReason ??= reason;
      if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
    };
    const timer = setTimeout(() => kill(`took longer than ${Math.round(step.timeoutMs / 1000)} s`), step.timeoutMs);
    const onAbort = (): void => kill('was cancelled');
    step.signal?.addEventListener('abort', onAbort, { once: true });
    if (step.signal?.aborted === true) onAbort();
    const finish = (code: number | null, signal: NodeJS.Signals | null, error?: Error): void => {
      clearTimeout(timer);
      step.signal?.removeEventListener('abort', onAbort);
      if (error !== undefined) reject(new StepError(name, `cannot be run (${reasonOf(error)})`, ''));
      else if (code === 0 && killReason === undefined) resolve(stdout);
      else reject(new StepError(name, killReason ?? (signal === null ? `failed with code ${code}` : `was killed by ${signal}`), all));
    };
    child.once('error', (error) => finish(null, null, error));
    child.once('close', (code, signal) => finish(code, signal));
  });
};
