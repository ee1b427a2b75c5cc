export { hashInput } from './hash-input.ts';
