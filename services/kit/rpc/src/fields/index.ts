export { batchIdsSchema } from './batch-ids.ts';
export { merchantText } from './merchant-text.ts';
export { oneTimeCodeSchema } from './one-time-code.ts';
export { timeSchema } from './time.ts';
export { unlessEmpty } from './unless-empty.ts';
export { uuidSchema } from './uuid.ts';
