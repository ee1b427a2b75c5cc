import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../files/atomic-file.ts';

export type EngineAddresses = { mongodbUri: string; redisUrl: string };

const pathIn = (runDir: string): string => join(runDir, 'engines.json');

/** Leaves word of where a data directory's engines listen, for commands that want to work on them. */
export const writeEngineAddresses = ({ runDir }: { runDir: string }, addresses: EngineAddresses): void =>
  replaceFile(pathIn(runDir), `${JSON.stringify(addresses)}\n`);

/** Where the engines of a running platform listen. Only to be believed while somebody holds the data directory. */
export const readEngineAddresses = (dataDir: string): EngineAddresses =>
  JSON.parse(readFileSync(pathIn(join(dataDir, 'run')), 'utf8')) as EngineAddresses;
