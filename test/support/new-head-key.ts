import { generateKeyPairSync } from 'node:crypto';

/** A new key for signing heads, as the configuration has it. */
export const newHeadKey = (): string =>
  JSON.stringify({ ...generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }), kid: 'ledger-head', alg: 'EdDSA' });
