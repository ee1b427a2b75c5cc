import { readFileSync } from 'node:fs';

/**
 * Loaded before a process's own code (`node --import`): its clock is off by what the file CLOCK_OFFSET_FILE says, in milliseconds,
 * from the next SIGUSR2 on. The monotonic clock is not affected.
 */
const RealDate = Date;
let offsetMs = 0;

process.on('SIGUSR2', () => {
  // biome-ignore lint/style/noProcessEnv: it runs before everything that could read the environment.
  offsetMs = Number(readFileSync(process.env['CLOCK_OFFSET_FILE'] ?? '', 'utf8'));
});

const now = (): number => RealDate.now() + offsetMs;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given: unknown[], newTarget) => Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget) as Date,
  get: (target, key, receiver) => (key === 'now' ? now : Reflect.get(target, key, receiver)),
});
