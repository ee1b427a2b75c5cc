import { flushCompileCache } from 'node:module';
import { loadConfig } from '@florin/rpc/config';
import { runMain } from '@florin/rpc/process';
import { createApp } from '../app.ts';
import { configShape } from '../config.ts';
import type { Doom } from './identity-process.ts';
import { interruptRegistration } from './interrupt-registration.ts';

/** The identity process, in which a registration stops for good at a call that the test names over IPC: it does nothing more until the process is killed. */
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

const stop = (): Promise<never> => {
  process.send?.('stopped');
  return new Promise(() => undefined);
};

const aroundRegistration = interruptRegistration(async (name, work) => {
  const here = isHere(name);
  if (here && doom?.when === 'before') return stop();
  const result = await work();
  return here ? stop() : result;
});

await runMain('identity', (env) => createApp(loadConfig(configShape, env), { aroundRegistration }));
// Node writes its compile cache on exit only, and this process is killed.
flushCompileCache();
