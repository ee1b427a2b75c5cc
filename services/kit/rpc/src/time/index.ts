export { setTimeout as pause } from 'node:timers/promises';
export { type Rounds, startRounds } from './rounds.ts';
export { within } from './within.ts';
