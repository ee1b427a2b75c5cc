import { readFileSync } from 'node:fs';
import { freePort, type Platform } from '@florin/local';
import { createServiceProcess, type ServiceProcess } from '../support/service-process.ts';

/** Starts another instance of a running process of a platform, with its program and environment, as Linux shows them. It is restarted when it ends. */
export const startSecond = async (platform: Platform, name: string, logFile: string): Promise<ServiceProcess> => {
  const pid = platform.processes().find((one) => one.name === name)?.pid;
  const read = (file: string): string[] => readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0').slice(0, -1);
  const [program = '', ...args] = read('cmdline');
  const env = Object.fromEntries(read('environ').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const second = createServiceProcess({
    name,
    url,
    command: [program, ...args],
    env: { ...env, PORT: String(port) },
    logFile,
    respawn: true,
  });
  await second.start();
  return second;
};
