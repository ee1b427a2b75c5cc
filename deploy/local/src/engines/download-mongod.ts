import { processEnvironment } from '../environment.ts';
import { reasonOf } from '../report.ts';

/**
 * Run as a process by `ensureDownloaded`: downloads the mongod for this machine into the given directory unless it is there, and
 * prints its path. The library's own settings (`MONGOMS_*`) apply.
 */
const main = async (directory: string): Promise<string> => {
  // Number of attempts. The default of four takes too long on a network without internet access.
  processEnvironment()['MONGOMS_MAX_RETRIES'] ??= '2';
  const { MongoBinary } = await import('mongodb-memory-server-core');
  return MongoBinary.getPath({ downloadDir: directory });
};

main(process.argv[2] ?? '.').then(
  (path) => process.stdout.write(`${path}\n`),
  (error: unknown) => {
    process.stderr.write(`${reasonOf(error)}\n`);
    process.exitCode = 1;
  },
);
