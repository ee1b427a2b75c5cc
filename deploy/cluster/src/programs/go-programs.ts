import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { findGo, runStep, waitForLock } from '@florin/local';
import type { Preparation } from '../preparation.ts';

/** Programs that one Go module builds. */
type GoModule = {
  name: string;
  title: string;
  sources: string;
  /** Directories of the programs in the sources. */
  programs: readonly string[];
  /** Files of a module that it depends on, which are kept beside the programs. */
  files?: { module: string; pattern: string; directory: string };
};

const SOURCES = join(import.meta.dirname, '../../go');

const KUBERNETES: GoModule = {
  name: 'kubernetes',
  title: 'Kubernetes and CoreDNS (about 10 minutes on two cores, once per machine)',
  sources: SOURCES,
  programs: ['kubernetes', 'dns', 'pause', 'relay'],
};

/** A module of its own, because it needs other versions of what both are built from. */
const CERT_MANAGER: GoModule = {
  name: 'cert-manager',
  title: 'cert-manager (about 2 minutes on two cores, once per machine)',
  sources: join(SOURCES, 'cert-manager'),
  programs: ['.'],
  files: { module: 'github.com/cert-manager/cert-manager', pattern: 'deploy/crds/cert-manager.io_*.yaml', directory: 'definitions' },
};

const LIST_TIMEOUT_MS = 5 * 60_000;

/** A line of progress after so many per cent. */
const PROGRESS_STEP = 10;

/** Of the sources, so that a change of a version builds the programs again. */
const versionOf = ({ sources, programs }: GoModule): string => {
  const hash = createHash('sha256');
  const files = globSync(['go.mod', 'go.sum', ...programs.map((program) => join(program, '*.go'))], { cwd: sources });
  for (const file of files.sort()) hash.update(readFileSync(join(sources, file)));
  return hash.digest('hex').slice(0, 12);
};

type Build = Preparation & { module: GoModule; go: string; target: string };

/** Go names each package when it has been compiled. */
const build = async ({ module, go, target, env, report, signal }: Build): Promise<void> => {
  const { name, sources, programs, files } = module;
  // A cache of its own, because the gigabytes of intermediate files are of no use to anything else.
  const goEnv = { ...env, CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false', GOCACHE: join(target, 'cache') };
  const ask = async (...args: string[]): Promise<string> => {
    const answer = await runStep({ command: go, args: ['list', ...args], cwd: sources, env: goEnv, timeoutMs: LIST_TIMEOUT_MS, signal });
    return answer.trim();
  };
  const packages = programs.map((program) => `./${program}`);
  // One letter for each: a step keeps only the end of a long output.
  const list = await ask('-deps', '-f', 'x', ...packages);
  const total = list.split('\n').length;
  const child = spawn(go, ['build', '-v', '-trimpath', '-ldflags=-s -w', '-o', `${target}/`, ...packages], {
    cwd: sources,
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
    report(`building ${name}: ${reported} %`);
  });
  const code = await ended;
  if (code !== 0) throw new Error(`go build failed with code ${code}: ${lastLine}`);
  if (files !== undefined) {
    const from = await ask('-m', '-f', '{{.Dir}}', files.module);
    for (const file of globSync(files.pattern, { cwd: from })) cpSync(join(from, file), join(target, files.directory, basename(file)));
  }
  rmSync(join(target, 'cache'), { recursive: true, force: true });
};

/** @returns the directory of what was built */
const ensureBuilt = async (module: GoModule, preparation: Preparation): Promise<string> => {
  const { cacheDir, env, report, signal } = preparation;
  const name = `${module.name}-${versionOf(module)}`;
  const path = join(cacheDir, name);
  if (existsSync(path)) return path;
  const lock = await waitForLock(`${path}.lock`, (pid) => report(`waiting for process ${pid}, which is building ${module.name}`), signal);
  try {
    if (existsSync(path)) return path;
    for (const other of readdirSync(cacheDir)) {
      if (other.startsWith(`${name}.building-`)) rmSync(join(cacheDir, other), { recursive: true, force: true });
    }
    const go = findGo(env);
    if (go === undefined) throw new Error('`go` is not on the PATH');
    const target = `${path}.building-${process.pid}`;
    mkdirSync(target);
    report(`building with Go: ${module.title}`);
    await build({ ...preparation, module, go, target });
    renameSync(target, path);
    return path;
  } finally {
    lock.release();
  }
};

/** Where programs are that were built with Go. */
export type GoPrograms = {
  /** Directory of `kubernetes` (one executable for all of its programs), `dns` (CoreDNS), `pause` and `relay`. */
  kubernetes: string;
  /** Directory of `cert-manager`, with the definitions of its objects in `definitions`. */
  certManager: string;
};

/**
 * Builds the programs from their sources, once per machine.
 * @throws Error when Go is missing or a build fails
 */
export const ensureGoPrograms = async (preparation: Preparation): Promise<GoPrograms> => ({
  kubernetes: await ensureBuilt(KUBERNETES, preparation),
  certManager: await ensureBuilt(CERT_MANAGER, preparation),
});
