import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { replaceFile } from '../files/atomic-file.ts';
import { waitForLock } from '../files/lock-file.ts';
import { isExecutable } from '../processes/command-path.ts';
import { runStep, StepError } from '../processes/run-step.ts';
import type { EngineContext } from './provider.ts';

export type Download = {
  /** Directory in the cache. */
  directory: string;
  /** Script beside this file that downloads into the directory given as its argument and prints the program's path. */
  script: string;
  /** Ends the download when nothing has arrived for so long: on a closed network this decides how long a start waits. */
  idleMs: number;
  timeoutMs: number;
  announce: string;
};

/** The program that an earlier download has left, or undefined. */
export function downloadedProgram(cacheDir: string, { directory }: Download): string | undefined {
  try {
    const program = readFileSync(notePath(cacheDir, directory), 'utf8').trim();
    return isExecutable(program) ? program : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The program's path, after downloading it if need be. The download runs in a process of its own, as only that can be
 * stopped for certain. The note with the path is written last: a program that is half there is never used.
 */
export async function ensureDownloaded(context: EngineContext, download: Download): Promise<string> {
  const { cacheDir, report, signal } = context;
  const present = downloadedProgram(cacheDir, download);
  if (present !== undefined) return present;
  const target = join(cacheDir, download.directory);
  mkdirSync(target, { recursive: true });
  const lock = await waitForLock(`${target}.lock`, (pid) => report(`waiting for process ${pid}, which is downloading`), signal);
  const idle = watchGrowth(target, download.idleMs);
  try {
    const byOther = downloadedProgram(cacheDir, download);
    if (byOther !== undefined) return byOther;
    report(download.announce);
    const output = await runStep({
      command: process.execPath,
      args: [fileURLToPath(new URL(download.script, import.meta.url)), target],
      env: context.env,
      cwd: target,
      timeoutMs: download.timeoutMs,
      signal: AbortSignal.any([signal, idle.signal]),
    });
    const program = output.trim().split('\n').at(-1) ?? '';
    if (!isExecutable(program)) throw new Error('the download left no program');
    replaceFile(notePath(cacheDir, download.directory), `${program}\n`);
    return program;
  } catch (error) {
    signal.throwIfAborted();
    if (idle.signal.aborted) throw new Error(`nothing arrived for ${download.idleMs / 1000} s`, { cause: error });
    throw error instanceof StepError ? new Error(lastLine(error), { cause: error }) : error;
  } finally {
    idle.stop();
    lock.release();
  }
}

function notePath(cacheDir: string, directory: string): string {
  return join(cacheDir, directory, 'program-path');
}

function lastLine(error: StepError): string {
  return error.output.trim().split('\n').at(-1)?.trim().slice(0, 300) || error.message;
}

/** Aborts when the files under `directory` have not grown for `idleMs`. */
function watchGrowth(directory: string, idleMs: number): { signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  let size = -1;
  let changedAt = performance.now();
  const timer = setInterval(() => {
    const now = sizeOf(directory);
    if (now !== size) changedAt = performance.now();
    size = now;
    if (performance.now() - changedAt > idleMs) controller.abort();
  }, 500);
  return { signal: controller.signal, stop: () => clearInterval(timer) };
}

function sizeOf(directory: string): number {
  let total = 0;
  for (const entry of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    total += statSync(join(directory, entry), { throwIfNoEntry: false })?.size ?? 0;
  }
  return total;
}
