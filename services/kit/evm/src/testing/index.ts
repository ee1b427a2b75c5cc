export { createNativeSigner } from './native-signer.ts';
export { signSafeTransaction } from './safe-signatures.ts';
export { joinSignature, malleated, SECP256K1_ORDER, withV } from './signatures.ts';
export { type Signable, signableOf, signTypedMessage } from './typed-messages.ts';
