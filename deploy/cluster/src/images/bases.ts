import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runStep } from '@florin/local';
import type { Preparation } from '../preparation.ts';
import { unpackDebianPackages } from '../programs/debian-packages.ts';
import type { Buildah } from './buildah.ts';

const NPM_TIMEOUT_MS = 5 * 60_000;

/** The files that Node.js needs besides itself: the content of the distroless image `cc`. */
const RUNTIME_PACKAGES = ['base-files', 'netbase', 'tzdata', 'libc6', 'libgcc-s1', 'gcc-12-base', 'libstdc++6'];

/** The needs of the Dockerfile's RUN steps besides: a shell and its commands. */
const BUILD_PACKAGES = [
  ...['base-files', 'libc6', 'libgcc-s1', 'gcc-12-base', 'libstdc++6', 'dash', 'coreutils', 'findutils'],
  ...['libselinux1', 'libpcre2-8-0', 'libacl1', 'libattr1', 'libgmp10'],
];

const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

type BaseNames = { build: string; runtime: string };

/** The names of both bases as the Dockerfile has them, without their digests, and with them the version of Node.js. */
const readBases = (rootDir: string): BaseNames & { nodeVersion: string } => {
  const text = readFileSync(join(rootDir, 'deploy/docker/Dockerfile'), 'utf8');
  const argument = (name: string): string => {
    const value = text.match(new RegExp(`^ARG ${name}=([^\\s@]+)(?:@sha256:[0-9a-f]{64})?$`, 'm'))?.[1];
    if (value === undefined) throw new Error(`deploy/docker/Dockerfile names no default for ${name}`);
    return value;
  };
  const build = argument('BUILD_IMAGE');
  const nodeVersion = build.match(/:(\d+\.\d+\.\d+)/)?.[1];
  if (nodeVersion === undefined) throw new Error(`the version of Node.js cannot be read from ${build}`);
  return { build, runtime: argument('RUNTIME_IMAGE'), nodeVersion };
};

/** Node.js and npm from the npm registry, in a directory of the cache. */
const installNode = async (nodeVersion: string, { cacheDir, rootDir, env, report, signal }: Preparation): Promise<string> => {
  const { packageManager } = JSON.parse(readFileSync(join(rootDir, 'package.json'), 'utf8')) as { packageManager: string };
  const directory = join(cacheDir, `image-node-${nodeVersion}-${packageManager}`);
  if (existsSync(join(directory, 'done'))) return directory;
  report(`downloading Node.js ${nodeVersion} and ${packageManager} for the image (once per machine)`);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ private: true, allowScripts: { node: true } }));
  const args = ['install', '--no-audit', '--no-fund', '--no-package-lock', `node@${nodeVersion}`, packageManager];
  await runStep({ command: 'npm', args, cwd: directory, env, timeoutMs: NPM_TIMEOUT_MS, signal });
  writeFileSync(join(directory, 'done'), '');
  return directory;
};

const copyNode = (node: string, root: string, path: string): void => {
  mkdirSync(join(root, path, '..'), { recursive: true });
  copyFileSync(join(node, 'node_modules/node/bin/node'), join(root, path));
};

const prepareRoot = (packages: string, root: string): void => {
  rmSync(root, { recursive: true, force: true });
  cpSync(packages, root, { recursive: true, verbatimSymlinks: true });
  for (const directory of ['tmp', 'root', 'proc', 'dev', 'etc/ssl/certs']) mkdirSync(join(root, directory), { recursive: true });
};

/**
 * Makes both bases of the Dockerfile from packages of Debian and npm, under the names that the Dockerfile gives them, because the machine has no
 * access to their registries. The build base trusts the certificate authorities that npm trusts on this machine.
 */
export const ensureBases = async (buildah: Buildah, directory: string, preparation: Preparation): Promise<void> => {
  const { env, report } = preparation;
  const { build, runtime, nodeVersion } = readBases(preparation.rootDir);
  if ((await buildah.has(build)) && (await buildah.has(runtime))) return;
  const node = await installNode(nodeVersion, preparation);
  report('making the bases of the image');

  const buildRoot = join(directory, 'build-base');
  prepareRoot(await unpackDebianPackages('image-build', BUILD_PACKAGES, preparation), buildRoot);
  if (!existsSync(join(buildRoot, 'bin/sh'))) symlinkSync('dash', join(buildRoot, 'bin/sh'));
  copyNode(node, buildRoot, 'usr/local/bin/node');
  cpSync(join(node, 'node_modules/npm'), join(buildRoot, 'usr/local/lib/node_modules/npm'), { recursive: true, verbatimSymlinks: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(buildRoot, 'usr/local/bin/npm'));
  const authorities = env['NODE_EXTRA_CA_CERTS'] ?? CERTIFICATES;
  if (existsSync(authorities)) copyFileSync(authorities, join(buildRoot, CERTIFICATES));
  await buildah.fromDirectory(build, buildRoot, [`ENV NODE_EXTRA_CA_CERTS=${CERTIFICATES}`]);

  const runtimeRoot = join(directory, 'runtime-base');
  prepareRoot(await unpackDebianPackages('image-runtime', RUNTIME_PACKAGES, preparation), runtimeRoot);
  if (existsSync(CERTIFICATES)) copyFileSync(CERTIFICATES, join(runtimeRoot, CERTIFICATES));
  await buildah.fromDirectory(runtime, runtimeRoot, ['USER 65532:65532']);
  for (const root of [buildRoot, runtimeRoot]) rmSync(root, { recursive: true, force: true });
};
