import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { signServiceToken } from '@florin/rpc/auth';
import { readConfig } from './config.ts';
import { processEnvironment } from './environment.ts';
import { keyPaths, readPrivateKey } from './keys.ts';
import { ROOT_DIR, runMain } from './run-main.ts';
import { parseTokenRequest, type TokenRequest } from './token-request.ts';

/** `npm run token -- --service threeds --scope threeds.challenges.write`: prints a service token of the operator, or of the client whose private key `--key` names. */
const main = async (): Promise<number> => {
  const { service, scopes, expiresInSeconds, keyFile, dataDir }: TokenRequest = parseTokenRequest(readArguments());
  const directory = dataDir ?? readConfig(processEnvironment(), ROOT_DIR).dataDir;
  const path = keyFile ?? keyPaths(directory).keyFile('operator');
  if (keyFile === undefined && !existsSync(path))
    throw new Error(`There are no keys in ${directory}. Start the platform once with \`npm start\` to create them.`);
  const token = await signServiceToken({ key: readPrivateKey(path), audience: service, scopes, expiresInSeconds });
  process.stdout.write(`${token}\n`);
  return 0;
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

runMain(main);
