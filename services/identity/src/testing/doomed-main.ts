import { loadConfig } from '@florin/rpc/config';
import { runMain } from '@florin/rpc/process';
import { createApp } from '../app.ts';
import { configShape } from '../config.ts';
import type { Doom } from './identity-process.ts';
import { interruptRegistration } from './interrupt-registration.ts';

/** The identity process, which kills itself at the call of a registration that it is told over IPC. */
let doom: Doom | undefined;
let calls = 0;

process.on('message', (message: Doom) => {
  doom = message;
  calls = 0;
  process.send?.('armed');
});

const isHere = (name: string): boolean => {
  if (doom?.call !== name) return false;
  calls += 1;
  return calls === doom.nth;
};

const aroundRegistration = interruptRegistration(async (name, work) => {
  const here = isHere(name);
  if (here && doom?.when === 'before') process.kill(process.pid, 'SIGKILL');
  const result = await work();
  if (here) process.kill(process.pid, 'SIGKILL');
  return result;
});

await runMain('identity', (env) => createApp(loadConfig(configShape, env), { aroundRegistration }));
