export { phoneSchema } from './phone.ts';
