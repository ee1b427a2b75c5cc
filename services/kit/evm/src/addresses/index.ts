export { checksumAddress } from './checksum-address.ts';
