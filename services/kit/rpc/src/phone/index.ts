export { phoneCountryOf, phoneSchema } from './phone.ts';
