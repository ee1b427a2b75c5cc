import { processEnvironment } from '../environment.ts';
import { reasonOf } from '../report.ts';

/**
 * Run as a process by `ensureDownloaded`: downloads the mongod that fits this machine into the directory given, or finds
 * the one that is there, and prints its path. The library's own settings (`MONGOMS_*`) apply.
 */
async function main(directory: string): Promise<string> {
  // Counts attempts: 0 would not even try. A closed network must not cost the library's four.
  processEnvironment()['MONGOMS_MAX_RETRIES'] ??= '2';
  const { MongoBinary } = await import('mongodb-memory-server-core');
  return MongoBinary.getPath({ downloadDir: directory });
}

main(process.argv[2] ?? '.').then(
  (path) => process.stdout.write(`${path}\n`),
  (error: unknown) => {
    process.stderr.write(`${reasonOf(error)}\n`);
    process.exitCode = 1;
  },
);
