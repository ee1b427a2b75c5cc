import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { cacheDir, ensureGoProgram } from '../../deploy/local/src/index.ts';
import { processEnvironment } from '../../services/kit/rpc/src/config/index.ts';
import { run } from '../run.ts';
import type { Manifest } from './manifest.ts';
import type { Overlay } from './policies/index.ts';

const ROOT = resolve(import.meta.dirname, '../..');

type Variant = { name: string; directory: string; sandbox: boolean; components?: readonly [instead: string, other: string] };

/** The overlays of deploy/k8s, and the one for production with another of its components. */
export const OVERLAYS: readonly Variant[] = [
  { name: 'sandbox', directory: 'sandbox', sandbox: true },
  { name: 'production', directory: 'production', sandbox: false },
  { name: 'production through a proxy', directory: 'production', sandbox: false, components: ['outside-names', 'outside-proxy'] },
];

/** Calls `build` with the directory of an overlay: of one with other components, with that of a copy. */
const withDirectory = async <T>({ directory, components }: Variant, build: (directory: string) => Promise<T>): Promise<T> => {
  const overlays = `${ROOT}/deploy/k8s/overlays`;
  if (components === undefined) return build(`${overlays}/${directory}`);
  // Beneath the real path: kustomize follows links.
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'overlay-')));
  try {
    cpSync(`${overlays}/${directory}`, copy, { recursive: true });
    const [instead, other] = components;
    const text = readFileSync(`${copy}/kustomization.yaml`, 'utf8').replace(`components/${instead}\n`, `components/${other}\n`);
    writeFileSync(`${copy}/kustomization.yaml`, text.replaceAll('../../', `${relative(copy, `${ROOT}/deploy/k8s`)}/`));
    return await build(copy);
  } finally {
    rmSync(copy, { recursive: true });
  }
};

/** A newer one needs a newer Go than the machines of the project have. */
const KUSTOMIZE = { title: 'kustomize', program: 'kustomize', module: 'sigs.k8s.io/kustomize/kustomize/v5', version: '5.7.1' };

type Kustomize = (directory: string) => Promise<{ code: number; output: string }>;

const works = (command: string, args: readonly string[]): Promise<boolean> =>
  run(command, args).then(
    ({ code }) => code === 0,
    () => false,
  );

let found: Promise<Kustomize> | undefined;

/** The kustomize of the machine, that of its kubectl, or one that is built with Go, once. */
const findKustomize = async (report: (line: string) => void): Promise<Kustomize> => {
  if (await works('kustomize', ['version'])) return (directory) => run('kustomize', ['build', directory]);
  if (await works('kubectl', ['kustomize', '--help'])) return (directory) => run('kubectl', ['kustomize', directory]);
  const env = processEnvironment();
  const programs = await ensureGoProgram(KUSTOMIZE, { env, cacheDir: cacheDir(env), report, signal: new AbortController().signal });
  return (directory) => run(`${programs}/kustomize`, ['build', directory]);
};

/**
 * Builds an overlay of deploy/k8s.
 * @returns its manifests, and the text of them
 * @throws Error with kustomize's own message, or when no kustomize can be had
 */
export const buildOverlay = async (variant: Variant, report: (line: string) => void): Promise<{ overlay: Overlay; yaml: string }> => {
  found ??= findKustomize(report);
  const { name, sandbox } = variant;
  const { code, output } = await withDirectory(variant, await found);
  if (code !== 0) throw new Error(`building the overlay ${name} failed: ${output.trim()}`);
  const manifests = parseAllDocuments(output).map((document) => document.toJS() as Manifest);
  return { overlay: { name, sandbox, manifests }, yaml: output };
};
