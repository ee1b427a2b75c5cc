export { pause } from './pause.ts';
export { type Rounds, startRounds } from './rounds.ts';
export { within } from './within.ts';
