import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findGo, runStep, waitForLock } from '@florin/local';
import type { Preparation } from '../preparation.ts';

const SOURCES = join(import.meta.dirname, '../../go');
const PROGRAMS = ['kubernetes', 'dns', 'pause', 'relay'] as const;
const LIST_TIMEOUT_MS = 5 * 60_000;

/** A line of progress after so many per cent. */
const PROGRESS_STEP = 10;

/** Of the sources, so that a change of a version builds the programs again. */
const versionOf = (): string => {
  const hash = createHash('sha256');
  for (const file of globSync('{go.mod,go.sum,*/*.go}', { cwd: SOURCES }).sort()) hash.update(readFileSync(join(SOURCES, file)));
  return hash.digest('hex').slice(0, 12);
};

type Build = Preparation & { go: string; target: string };

/** Go names each package when it has been compiled. */
const build = async ({ go, target, env, report, signal }: Build): Promise<void> => {
  // A cache of its own, because the 3 GB of intermediate files are of no use to anything else.
  const goEnv = { ...env, CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false', GOCACHE: join(target, 'cache') };
  const packages = PROGRAMS.map((name) => `./${name}`);
  const list = await runStep({
    command: go,
    // One letter for each: a step keeps only the end of a long output.
    args: ['list', '-deps', '-f', 'x', ...packages],
    cwd: SOURCES,
    env: goEnv,
    timeoutMs: LIST_TIMEOUT_MS,
    signal,
  });
  const total = list.trim().split('\n').length;
  const child = spawn(go, ['build', '-v', '-trimpath', '-ldflags=-s -w', '-o', `${target}/`, ...packages], {
    cwd: SOURCES,
    env: goEnv,
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  let [compiled, reported, lastLine] = [0, 0, ''];
  createInterface({ input: child.stderr }).on('line', (line) => {
    lastLine = line;
    if (line.startsWith('go: ')) return;
    compiled += 1;
    const percent = Math.floor((100 * compiled) / total);
    if (percent < reported + PROGRESS_STEP) return;
    reported = percent - (percent % PROGRESS_STEP);
    report(`building Kubernetes: ${reported} %`);
  });
  const code = await ended;
  if (code !== 0) throw new Error(`go build failed with code ${code}: ${lastLine}`);
  rmSync(join(target, 'cache'), { recursive: true, force: true });
};

/**
 * Builds Kubernetes (one executable for all of its programs), CoreDNS and the pause program from their sources, once per machine.
 * @returns the directory of the executables `kubernetes`, `dns` and `pause`
 * @throws Error when Go is missing or the build fails
 */
export const ensureGoPrograms = async (preparation: Preparation): Promise<string> => {
  const { cacheDir, env, report, signal } = preparation;
  const name = `kubernetes-${versionOf()}`;
  const path = join(cacheDir, name);
  if (existsSync(path)) return path;
  const lock = await waitForLock(`${path}.lock`, (pid) => report(`waiting for process ${pid}, which is building Kubernetes`), signal);
  try {
    if (existsSync(path)) return path;
    for (const other of readdirSync(cacheDir)) {
      if (other.startsWith(`${name}.building-`)) rmSync(join(cacheDir, other), { recursive: true, force: true });
    }
    const go = findGo(env);
    if (go === undefined) throw new Error('`go` is not on the PATH');
    const target = `${path}.building-${process.pid}`;
    mkdirSync(target);
    report('building Kubernetes and CoreDNS with Go (about 10 minutes on two cores, once per machine)');
    await build({ ...preparation, go, target });
    renameSync(target, path);
    return path;
  } finally {
    lock.release();
  }
};
