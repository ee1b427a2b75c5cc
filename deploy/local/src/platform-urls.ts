import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EDGE, PORTS, PROCESS_NAMES, type ProcessName, readConfig } from './config.ts';
import { replaceFile } from './files/atomic-file.ts';

/** Base URL of every process, for example `http://127.0.0.1:8080`. Chain has one only where it runs, and the local chain only with `CHAIN=local`. */
export type PlatformUrls = Record<Exclude<ProcessName, 'chain'>, string> & { chain?: string; chainNode?: string };

/** The process that a default start leaves out. */
const OPTIONAL: ProcessName = 'chain';

const fileIn = (dataDir: string): string => join(dataDir, 'urls.json');

/**
 * Returns the URLs of the running processes, which listen on these ports of the loopback interface.
 * @param options with `tls` the services are https; the gateway and the back office never are
 */
export const urlsOf = (
  ports: Record<ProcessName, number>,
  running: readonly ProcessName[],
  { tls }: { tls: boolean } = { tls: false },
): PlatformUrls => {
  // The certificates are for processes among each other.
  const schemeOf = (name: ProcessName): string => (tls && !EDGE.includes(name) ? 'https' : 'http');
  return Object.fromEntries(running.map((name) => [name, `${schemeOf(name)}://127.0.0.1:${ports[name]}`])) as PlatformUrls;
};

/** Records the URLs in the data directory, for commands that call the running platform. */
export const writePlatformUrls = (dataDir: string, urls: PlatformUrls): void => replaceFile(fileIn(dataDir), `${JSON.stringify(urls)}\n`);

/** Returns the URLs of the last start with this environment, or those of the default ports if there was none. @throws ConfigError */
export const lastPlatformUrls = (env: NodeJS.ProcessEnv, rootDir: string): PlatformUrls =>
  readPlatformUrls(readConfig(env, rootDir).dataDir);

/** Returns the URLs of the last start on a data directory, or those of the default ports if there was none. */
export const readPlatformUrls = (dataDir: string): PlatformUrls => {
  try {
    return JSON.parse(readFileSync(fileIn(dataDir), 'utf8')) as PlatformUrls;
  } catch {
    const ports = Object.fromEntries(PROCESS_NAMES.map((name) => [name, PORTS[name].default])) as Record<ProcessName, number>;
    return urlsOf(
      ports,
      PROCESS_NAMES.filter((name) => name !== OPTIONAL),
    );
  }
};
