import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { signServiceToken } from '@florin/rpc/auth';
import { readConfig } from './config.ts';
import { processEnvironment } from './environment.ts';
import { keyPaths, readPrivateKey } from './keys.ts';
import { reasonOf } from './report.ts';
import { parseTokenRequest, type TokenRequest } from './token-request.ts';

/** `npm run token -- --service threeds --scope threeds.challenges.write`: prints a service token of the operator, or of the client whose private key `--key` names. */
const main = async (): Promise<string> => {
  const rootDir = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
  const { service, scopes, expiresInSeconds, keyFile, dataDir }: TokenRequest = parseTokenRequest(readArguments());
  const directory = dataDir ?? readConfig(processEnvironment(), rootDir).dataDir;
  const path = keyFile ?? keyPaths(directory).keyFile('operator');
  if (keyFile === undefined && !existsSync(path))
    throw new Error(`There are no keys in ${directory}. Start the platform once with \`npm start\` to create them.`);
  return signServiceToken({ key: readPrivateKey(path), audience: service, scopes, expiresInSeconds });
};

const readArguments = (): Record<string, string | string[] | undefined> => {
  return parseArgs({
    options: {
      service: { type: 'string' },
      scope: { type: 'string', multiple: true },
      key: { type: 'string' },
      'expires-in': { type: 'string' },
      'data-dir': { type: 'string' },
    },
  }).values;
};

main().then(
  (token) => process.stdout.write(`${token}\n`),
  (error: unknown) => {
    process.stderr.write(`${reasonOf(error)}\n`);
    process.exitCode = 1;
  },
);
