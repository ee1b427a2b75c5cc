import { reasonOf } from '../report.ts';

/**
 * Run as a process by `ensureDownloaded`: downloads the source of Redis into the directory given, compiles it with the
 * machine's make and C compiler, and prints the program's path. The library's own settings (`REDISMS_*`) apply.
 */
async function main(directory: string): Promise<string> {
  const { RedisBinary } = await library();
  return RedisBinary.getPath({ downloadDir: directory });
}

/** An optional dependency: npm may have left it out, which must not break anything but this. */
async function library(): Promise<Pick<typeof import('redis-memory-server'), 'RedisBinary'>> {
  try {
    return await import('redis-memory-server');
  } catch (cause) {
    throw new Error('the package redis-memory-server is not installed', { cause });
  }
}

main(process.argv[2] ?? '.').then(
  (path) => process.stdout.write(`${path}\n`),
  (error: unknown) => {
    process.stderr.write(`${reasonOf(error)}\n`);
    process.exitCode = 1;
  },
);
