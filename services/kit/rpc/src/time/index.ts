export { setTimeout as pause } from 'node:timers/promises';
export { type Rounds, startRounds } from './rounds.ts';
export { createSleepers, type Sleepers } from './sleepers.ts';
export { within } from './within.ts';
