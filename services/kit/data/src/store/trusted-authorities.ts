import { readFileSync } from 'node:fs';
import { ConfigError } from '@florin/rpc/config';
import type { mongo } from 'mongoose';

/** Returns the file that `tlsCAFile` of a MongoDB URI names, with the authorities by which the engine is trusted. */
const authoritiesFile = (uri: string): string | undefined => {
  const [, encoded] = /[?&]tlsCAFile=([^&]+)/i.exec(uri) ?? [];
  return encoded === undefined ? undefined : decodeURIComponent(encoded);
};

/**
 * Reads the authorities that a MongoDB URI names, in the form in which `renewAuthorities` can exchange them.
 * @returns undefined when the URI names no file
 * @throws ConfigError when the file cannot be read
 */
export const readAuthorities = (uri: string): Buffer[] | undefined => {
  const file = authoritiesFile(uri);
  if (file === undefined) return undefined;
  try {
    return [readFileSync(file)];
  } catch {
    throw new ConfigError('MONGODB_URI: the file named by tlsCAFile cannot be read');
  }
};

/**
 * Reads the authorities again whenever the engine does not respond: its certificate may be of a new authority. The driver itself reads them
 * once, and gives the same array to each connection, so its content is exchanged.
 */
export const renewAuthorities = (uri: string, client: mongo.MongoClient): void => {
  const [file, held] = [authoritiesFile(uri), client.options.ca];
  if (file === undefined || !Array.isArray(held)) return;
  client.on('serverHeartbeatFailed', () => {
    try {
      held.splice(0, held.length, readFileSync(file));
    } catch {
      // The file is being replaced: it is read again after the next failure.
    }
  });
};
