export { concatHex, type Hex, hexOf, hexSize } from './hex.ts';
