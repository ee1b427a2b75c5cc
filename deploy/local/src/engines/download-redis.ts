import { reasonOf } from '../report.ts';

/**
 * Run as a process by `ensureDownloaded`: downloads the source of Redis into the given directory, compiles it with the
 * machine's make and C compiler, and prints the path of the program. The library's own settings (`REDISMS_*`) apply.
 */
const main = async (directory: string): Promise<string> => {
  const { RedisBinary } = await library();
  return RedisBinary.getPath({ downloadDir: directory });
};

/** An optional dependency, which npm may have skipped; only this provider depends on it. */
const library = async (): Promise<Pick<typeof import('redis-memory-server'), 'RedisBinary'>> => {
  try {
    return await import('redis-memory-server');
  } catch (cause) {
    throw new Error('the npm package redis-memory-server is not installed', { cause });
  }
};

main(process.argv[2] ?? '.').then(
  (path) => process.stdout.write(`${path}\n`),
  (error: unknown) => {
    process.stderr.write(`${reasonOf(error)}\n`);
    process.exitCode = 1;
  },
);
