import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { reasonOf } from '../report.ts';
import { dieWithLauncher } from './die-with-launcher.ts';
import { signalGroup } from './process-group.ts';

export type Step = {
  command: string;
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  timeoutMs: number;
  signal?: AbortSignal;
  /** All output is appended here as well. */
  logPath?: string;
};

/** Raised when a step fails, takes too long or is cancelled; the message ends with the last line that it wrote. */
export class StepError extends Error {
  readonly output: string;

  constructor(command: string, how: string, output: string) {
    const lastLine = output.trim().split('\n').at(-1)?.trim() ?? '';
    super(`${command} ${how}${lastLine === '' ? '' : `: ${lastLine.slice(0, 300)}`}`);
    this.name = 'StepError';
    this.output = output;
  }
}

const MAX_OUTPUT = 64 * 1024;

/** Runs one program to its end and answers what it wrote to stdout. @throws StepError */
export function runStep(step: Step): Promise<string> {
  const name = step.command.split('/').at(-1) ?? step.command;
  return new Promise((resolve, reject) => {
    // No build goes on without an owner.
    const { command, args } = dieWithLauncher('SIGKILL', step);
    // Its own group: Ctrl-C reaches the launcher alone, which then ends the step through `signal`.
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      ...(step.env === undefined ? {} : { env: step.env }),
      ...(step.cwd === undefined ? {} : { cwd: step.cwd }),
    });
    let stdout = '';
    let all = '';
    let how: string | undefined;
    const keep = (chunk: Buffer): void => {
      all = (all + chunk.toString('utf8')).slice(-MAX_OUTPUT);
      if (step.logPath !== undefined) appendFileSync(step.logPath, chunk, { mode: 0o600 });
    };
    child.stderr.on('data', keep);
    child.stdout.on('data', (chunk: Buffer) => {
      stdout = (stdout + chunk.toString('utf8')).slice(-MAX_OUTPUT);
      keep(chunk);
    });
    const end = (reason: string): void => {
      how ??= reason;
      if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
    };
    const timer = setTimeout(() => end(`took longer than ${Math.round(step.timeoutMs / 1000)} s`), step.timeoutMs);
    const onAbort = (): void => end('was cancelled');
    step.signal?.addEventListener('abort', onAbort, { once: true });
    if (step.signal?.aborted === true) onAbort();
    const finish = (code: number | null, signal: NodeJS.Signals | null, error?: Error): void => {
      clearTimeout(timer);
      step.signal?.removeEventListener('abort', onAbort);
      if (error !== undefined) reject(new StepError(name, `cannot be run (${reasonOf(error)})`, ''));
      else if (code === 0 && how === undefined) resolve(stdout);
      else reject(new StepError(name, how ?? (signal === null ? `failed with code ${code}` : `was killed by ${signal}`), all));
    };
    child.once('error', (error) => finish(null, null, error));
    child.once('close', (code, signal) => finish(code, signal));
  });
}
