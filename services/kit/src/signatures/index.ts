export { canonicalSignature, hasSignatureShape } from './canonical-signature.ts';
