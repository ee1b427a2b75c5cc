import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { runStep } from '@florin/local';
import { OUTSIDE_ADDRESS } from '../layout.ts';
import { PAUSE_IMAGE } from '../nodes/node-files.ts';
import type { Preparation } from '../preparation.ts';
import type { Programs } from '../programs/programs.ts';
import { ensureBases } from './bases.ts';
import { type Buildah, createBuildah } from './buildah.ts';

/** Names that deploy/k8s has for the images. */
const PLATFORM_IMAGE = 'docker.io/florin/platform:0.1.0';
const DNS_IMAGE = 'localhost/florin-cluster/dns:1';

/** The engines of the sandbox overlay, which cannot be had without a registry, are stood in for by relays. */
const RELAYS = [
  { image: 'docker.io/library/mongo:8.0.14-noble', port: 27017, probe: 'mongosh' },
  { image: 'docker.io/library/redis:8.2.1-alpine3.22', port: 6379, probe: 'redis-cli' },
] as const;

const BYTES_PER_MB = 1_000_000;
const EXTRACT_TIMEOUT_MS = 60_000;

type Small = { image: string; program: string; lines: readonly string[]; links?: readonly string[] };

const SMALL: readonly Small[] = [
  { image: PAUSE_IMAGE, program: 'pause', lines: ['ENTRYPOINT ["/pause"]'] },
  { image: DNS_IMAGE, program: 'dns', lines: ['ENTRYPOINT ["/dns"]'] },
  ...RELAYS.map(({ image, port, probe }) => ({
    image,
    program: 'relay',
    links: [probe],
    lines: [`ENV PATH=/ RELAY_LISTEN=:${port} RELAY_TARGET=${OUTSIDE_ADDRESS}:${port}`, 'ENTRYPOINT ["/relay"]'],
  })),
];

/** Makes an image of one program that needs no library. */
const makeSmall = async (
  buildah: Buildah,
  { built }: Programs,
  directory: string,
  { image, program, lines, links = [] }: Small,
): Promise<void> => {
  const root = mkdtempSync(join(directory, 'small-'));
  try {
    copyFileSync(join(built.kubernetes, program), join(root, program));
    for (const link of links) symlinkSync(program, join(root, link));
    await buildah.fromDirectory(image, root, lines);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
};

/**
 * Builds the image of the platform twice from what is committed, each time from files of its own and without the layers of an earlier build.
 * @returns the two digests
 */
export const buildTwice = async (programs: Programs, preparation: Preparation): Promise<[string, string]> => {
  const { cacheDir, rootDir, env, report } = preparation;
  const directory = join(cacheDir, 'cluster-images');
  const buildah = createBuildah(programs, directory, preparation);
  await ensureBases(buildah, directory, preparation);
  const build = async (): Promise<string> => {
    const context = mkdtempSync(join(directory, 'commit-'));
    try {
      const extract = `git -C "$1" archive HEAD | tar --extract --touch --directory="$2"`;
      await runStep({ command: '/bin/sh', args: ['-efuc', extract, 'sh', rootDir, context], env, timeoutMs: EXTRACT_TIMEOUT_MS });
      await buildah.build(PLATFORM_IMAGE, join(context, 'deploy/docker/Dockerfile'), context, { fresh: true });
    } finally {
      rmSync(context, { recursive: true, force: true });
    }
    const digest = await buildah.digestOf(PLATFORM_IMAGE);
    report(`built the image of the platform: ${digest}`);
    return digest;
  };
  return [await build(), await build()];
};

/**
 * Builds every image of the cluster: that of the platform from deploy/docker/Dockerfile, and those of the cluster itself.
 * @returns archives for the nodes
 */
export const ensureImages = async (programs: Programs, preparation: Preparation): Promise<string[]> => {
  const { cacheDir, rootDir, report } = preparation;
  const directory = join(cacheDir, 'cluster-images');
  mkdirSync(directory, { recursive: true });
  const buildah = createBuildah(programs, directory, preparation);
  const archives: string[] = [];
  for (const small of SMALL) {
    // Named by the build of its program, so that a new one replaces it.
    const archive = join(directory, `${small.program}-${small.links?.[0] ?? ''}-${programs.built.kubernetes.split('-').at(-1)}.tar`);
    archives.push(archive);
    if (existsSync(archive)) continue;
    await makeSmall(buildah, programs, directory, small);
    await buildah.save(small.image, archive);
  }
  await ensureBases(buildah, directory, preparation);
  report('building the image of the platform from deploy/docker/Dockerfile');
  await buildah.build(PLATFORM_IMAGE, join(rootDir, 'deploy/docker/Dockerfile'), rootDir);
  const platform = join(directory, 'platform.tar');
  await buildah.save(PLATFORM_IMAGE, platform);
  report(`the image of the platform has ${Math.round(statSync(platform).size / BYTES_PER_MB)} MB`);
  return [...archives, platform];
};
