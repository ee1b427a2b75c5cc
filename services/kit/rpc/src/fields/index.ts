export { unlessEmpty } from './unless-empty.ts';
export { uuidSchema } from './uuid.ts';
