import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../files/atomic-file.ts';

export type EngineAddresses = { mongodbUri: string; redisUrl: string };

const pathIn = (dataDir: string): string => join(dataDir, 'engines.json');

/** Records where the engines of a data directory listen, for commands that use them. */
export const writeEngineAddresses = ({ path }: { path: string }, addresses: EngineAddresses): void =>
  replaceFile(pathIn(path), `${JSON.stringify(addresses)}\n`);

/** Returns where the engines of a running platform listen. Valid only while a process holds the lock of the data directory. */
export const readEngineAddresses = (dataDir: string): EngineAddresses =>
  JSON.parse(readFileSync(pathIn(dataDir), 'utf8')) as EngineAddresses;
