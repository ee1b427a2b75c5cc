export { canonicalSignature, hasSignatureShape } from './canonical-signature.ts';
export { contractSignature } from './contract-signature.ts';
export { recoverSigner } from './recover-signer.ts';
