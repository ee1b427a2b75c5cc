export { testEngines } from './engines.ts';
export { testEnvironment } from './environment.ts';
export { neededRights } from './needed-rights.ts';
export { observeCommands, observedUri } from './observe-commands.ts';
export { startRedisRelay } from './redis-relay.ts';
export { openTestBed } from './test-bed.ts';
export { testCipher } from './test-cipher.ts';
