import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { PROCESS_NAMES, readConfig } from './config.ts';
import { processEnvironment } from './environment.ts';
import { ensureKeys } from './keys.ts';
import { reasonOf } from './report.ts';
import { type SecretFiles, secretFiles, toManifests } from './secret-files.ts';

const USAGE = `usage: npm run --silent k8s-secrets -- [--data-dir DIR] [--namespace NAME] [--mongodb-uri URI] [--redis-url URL] [--no-sandbox]
       npm run --silent k8s-secrets -- --files DIR`;

/** Writes one directory for each process, one for Redis and one for the trust list. Containers read them as another user, so the directory above is closed. */
const writeFiles = (directory: string, { processes, redis, trust }: SecretFiles): void => {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  chmodSync(directory, 0o700);
  for (const [name, files] of Object.entries({ ...processes, redis, trust })) {
    mkdirSync(join(directory, name), { recursive: true, mode: 0o755 });
    for (const [file, text] of Object.entries(files)) writeFileSync(join(directory, name, file), text, { mode: 0o644 });
  }
};

/**
 * `npm run k8s-secrets`: prints the Secrets of every process and the trust list as manifests for `kubectl apply -f -`, or writes them as files for
 * deploy/docker/compose.yaml. Keys are made once in the data directory, and kept.
 */
const main = async (): Promise<void> => {
  const rootDir = resolve(import.meta.dirname, '../../..');
  const { values } = parseArgs({
    options: {
      'data-dir': { type: 'string' },
      namespace: { type: 'string', default: 'florin' },
      'mongodb-uri': { type: 'string', default: 'mongodb://mongodb:27017/?directConnection=true' },
      'redis-url': { type: 'string', default: 'redis://redis:6379' },
      'no-sandbox': { type: 'boolean', default: false },
      files: { type: 'string' },
    },
  });
  const dataDir = resolve(values['data-dir'] ?? readConfig(processEnvironment(), rootDir).dataDir);
  const keys = await ensureKeys(dataDir, { sandbox: !values['no-sandbox'] });
  const read = (path: string): string => readFileSync(path, 'utf8');
  const secrets = secretFiles(PROCESS_NAMES, keys, { mongodbUri: values['mongodb-uri'], redisUrl: values['redis-url'] }, read);
  if (values.files === undefined) process.stdout.write(`${JSON.stringify(toManifests(values.namespace, secrets), null, 2)}\n`);
  else writeFiles(resolve(values.files), secrets);
};

main().catch((error: unknown) => {
  process.stderr.write(`${reasonOf(error)}\n${USAGE}\n`);
  process.exitCode = 1;
});
