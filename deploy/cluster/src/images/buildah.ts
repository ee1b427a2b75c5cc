import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runStep } from '@florin/local';
import type { Preparation } from '../preparation.ts';
import { libraryDirectories, type Programs, programEnvironment } from '../programs/programs.ts';

const TIMEOUT_MS = 9 * 60_000;

/** Every image is made at the same time of the clock, so that the same files make the same image. */
const REPRODUCIBLE = ['--timestamp', '0'];

/**
 * Runs a command for which the dynamic loader also finds the libraries of the packages: buildah starts itself again for a RUN step, and drops
 * LD_LIBRARY_PATH then. To be run in a mount namespace, so that this machine keeps its own cache of libraries.
 * Arguments: file for the cache, colon-separated directories of libraries, command.
 */
const WITH_LIBRARIES = `
cache=$1 libraries=$2; shift 2
(IFS=:; exec ldconfig -X -C "$cache" $libraries)
mount --bind "$cache" /etc/ld.so.cache
exec "$@"
`;

export type Buildah = {
  /** Reports whether the image exists. */
  has: (image: string) => Promise<boolean>;
  /** Makes an image whose file system is a directory. @param lines further lines of its Dockerfile */
  fromDirectory: (image: string, root: string, lines: readonly string[]) => Promise<void>;
  /** Builds a Dockerfile. @param options.fresh uses no layer of an earlier build */
  build: (image: string, dockerfile: string, context: string, options?: { fresh: boolean }) => Promise<void>;
  /** The digest of an image's manifest, as registries name it. */
  digestOf: (image: string) => Promise<string>;
  /** Writes an image into an archive that containerd imports. */
  save: (image: string, archive: string) => Promise<void>;
};

/** Builds images without a daemon (buildah), with bases of this machine only. `directory` holds its images and layers. */
export const createBuildah = (programs: Programs, directory: string, { env, signal }: Preparation): Buildah => {
  const policy = join(directory, 'policy.json');
  mkdirSync(directory, { recursive: true });
  writeFileSync(policy, JSON.stringify({ default: [{ type: 'insecureAcceptAnything' }] }));
  const libraries = libraryDirectories(programs).join(delimiter);
  const run = (args: readonly string[]): Promise<string> =>
    runStep({
      // Its mounts end with it, even when it is killed.
      command: 'unshare',
      args: [
        ...['--mount', '--propagation', 'private', '--pid', '--fork', '--kill-child', '--mount-proc', '--'],
        ...['/bin/sh', '-efuc', WITH_LIBRARIES, 'sh', join(directory, 'ld.so.cache'), libraries, 'buildah'],
        ...['--root', join(directory, 'storage'), '--runroot', join(directory, 'run'), '--storage-driver', 'overlay', ...args],
      ],
      env: programEnvironment(programs, env),
      timeoutMs: TIMEOUT_MS,
      signal,
    });
  const build: Buildah['build'] = async (image, dockerfile, context, { fresh } = { fresh: false }) => {
    const layers = fresh ? '--no-cache' : '--layers';
    const args = ['--signature-policy', policy, '--pull-never', '--isolation', 'chroot', '--network', 'host', layers];
    // The bases of this machine have the tags of the Dockerfile's and other digests.
    const named = readFileSync(dockerfile, 'utf8').matchAll(/^ARG (\w+_IMAGE)=(\S+)@sha256:[0-9a-f]{64}$/gm);
    const bases = [...named].flatMap(([, name, base]) => ['--build-arg', `${name}=${base}`]);
    await run(['bud', ...args, ...bases, ...REPRODUCIBLE, '--file', dockerfile, '--tag', image, context]);
  };
  return {
    has: (image) =>
      run(['inspect', '--type', 'image', image]).then(
        () => true,
        () => false,
      ),
    fromDirectory: async (image, root, lines) => {
      const context = mkdtempSync(join(directory, 'context-'));
      try {
        writeFileSync(join(context, 'Dockerfile'), ['FROM scratch', 'COPY . /', ...lines, ''].join('\n'));
        await build(image, join(context, 'Dockerfile'), root);
      } finally {
        rmSync(context, { recursive: true, force: true });
      }
    },
    build,
    digestOf: async (image) => (await run(['inspect', '--type', 'image', '--format', '{{.FromImageDigest}}', image])).trim(),
    save: async (image, archive) => {
      rmSync(archive, { force: true });
      await run(['push', '--signature-policy', policy, image, `docker-archive:${archive}:${image}`]);
    },
  };
};
