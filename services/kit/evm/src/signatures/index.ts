export { canonicalSignature, hasSignatureShape } from './canonical-signature.ts';
export { contractSignature } from './contract-signature.ts';
export { recoverSigner, signatureRecovery } from './recover-signer.ts';
