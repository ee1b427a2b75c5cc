export { oneTimeCodeSchema } from './one-time-code.ts';
export { unlessEmpty } from './unless-empty.ts';
export { uuidSchema } from './uuid.ts';
