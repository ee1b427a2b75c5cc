import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../files/atomic-file.ts';

export type EngineAddresses = { mongodbUri: string; redisUrl: string };

const pathIn = (dataDir: string): string => join(dataDir, 'engines.json');

/** Leaves word of where a data directory's engines listen, for commands that want to work on them. */
export const writeEngineAddresses = ({ path }: { path: string }, addresses: EngineAddresses): void =>
  replaceFile(pathIn(path), `${JSON.stringify(addresses)}\n`);

/** Where the engines of a running platform listen. Only to be believed while somebody holds the data directory. */
export const readEngineAddresses = (dataDir: string): EngineAddresses =>
  JSON.parse(readFileSync(pathIn(dataDir), 'utf8')) as EngineAddresses;
