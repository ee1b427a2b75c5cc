import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { replaceFile } from '../files/atomic-file.ts';
import { waitForLock } from '../files/lock-file.ts';
import { isExecutable } from '../processes/command-path.ts';
import { runStep, StepError } from '../processes/run-step.ts';
import type { EngineContext } from './provider.ts';

export type Download = {
  /** Name of its directory in the cache directory. */
  directory: string;
  /** Script in this directory that downloads into the directory given as its argument and prints the path of the program. */
  script: string;
  /** Cancels the download when no data has arrived for this long. Without internet access, a start waits this long. */
  idleMs: number;
  timeoutMs: number;
  /** Reported when the download starts. */
  announcement: string;
};

/** Returns the program of an earlier download, or undefined. */
export const downloadedProgram = (cacheDir: string, { directory }: Download): string | undefined => {
  try {
    const program = readFileSync(pathFile(cacheDir, directory), 'utf8').trim();
    return isExecutable(program) ? program : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Returns the path of the program and downloads it first if necessary. The download runs in its own process, because only a process
 * can be stopped reliably. The file with the path is written last, so that an incomplete download is never used.
 */
export const ensureDownloaded = async (context: EngineContext, download: Download): Promise<string> => {
  const { cacheDir, report, signal } = context;
  const present = downloadedProgram(cacheDir, download);
  if (present !== undefined) return present;
  const target = join(cacheDir, download.directory);
  mkdirSync(target, { recursive: true });
  const lock = await waitForLock(`${target}.lock`, (pid) => report(`waiting for process ${pid}, which is downloading`), signal);
  const idle = watchGrowth(target, download.idleMs);
  try {
    const byOtherProcess = downloadedProgram(cacheDir, download);
    if (byOtherProcess !== undefined) return byOtherProcess;
    report(download.announcement);
    const output = await runStep({
      command: process.execPath,
      args: [fileURLToPath(new URL(download.script, import.meta.url)), target],
      env: context.env,
      cwd: target,
      timeoutMs: download.timeoutMs,
      signal: AbortSignal.any([signal, idle.signal]),
    });
    const program = output.trim().split('\n').at(-1) ?? '';
    if (!isExecutable(program)) throw new Error('the download produced no program');
    replaceFile(pathFile(cacheDir, download.directory), `${program}\n`);
    return program;
  } catch (error) {
    signal.throwIfAborted();
    if (idle.signal.aborted) throw new Error(`received no data for ${download.idleMs / 1000} s`, { cause: error });
    throw error instanceof StepError ? new Error(lastLine(error), { cause: error }) : error;
  } finally {
    idle.stop();
    lock.release();
  }
};

const pathFile = (cacheDir: string, directory: string): string => {
  return join(cacheDir, directory, 'program-path');
};

const lastLine = (error: StepError): string => {
  return error.output.trim().split('\n').at(-1)?.trim().slice(0, 300) || error.message;
};

/** Returns a signal that aborts when the files in `directory` have not changed in size for `idleMs`. */
const watchGrowth = (directory: string, idleMs: number): { signal: AbortSignal; stop: () => void } => {
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
};

const sizeOf = (directory: string): number => {
  let total = 0;
  for (const entry of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    total += statSync(join(directory, entry), { throwIfNoEntry: false })?.size ?? 0;
  }
  return total;
};
