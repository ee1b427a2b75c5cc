export { joinSignature, malleated, SECP256K1_ORDER, withV } from './signatures.ts';
