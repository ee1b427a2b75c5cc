import { ConfigError } from '@florin/kit/config';
import type { Runtime } from '@florin/kit/runtime';
import {
  type CryptoKey,
  calculateJwkThumbprint,
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
} from 'jose';
import type { Sealer } from '../crypto/sealer.ts';
import type { SigningKeyStore, StoredSigningKey } from '../store/signing-keys.ts';

/** The keys of access tokens: several may be published, the newest signs. */
export type KeyRing = {
  /** What signs. */
  signer: { kid: string; key: CryptoKey | Uint8Array };
  /** Public halves (RFC 7517), without anything private. */
  published: JSONWebKeySet;
  /** The same for the service's own verification, without a way through the network. */
  verifier: JWTVerifyGetKey;
};

const FIRST_GENERATION = 1;

const newKey = async (generation: number, sealer: Sealer, runtime: Runtime): Promise<StoredSigningKey> => {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  return { generation, kid, x: String(jwk.x), sealed: await sealer.seal(JSON.stringify(jwk), kid), createdAt: runtime.now() };
};

const openKey = async ({ sealed, kid }: StoredSigningKey, sealer: Sealer) => {
  let text: string;
  try {
    text = await sealer.open(sealed, kid);
  } catch (cause) {
    // Going on with a new key would log everybody out and hide the mistake.
    throw new ConfigError('IDENTITY_MASTER_KEY: does not open the signing keys that are stored', { cause });
  }
  return importJWK(JSON.parse(text), 'EdDSA');
};

/**
 * Loads the signing keys; the very first start makes one. Processes that start together agree on one key, because its
 * `_id` is its generation: the loser of the insert loads the winner's.
 * @throws ConfigError when the master key is not the one that the keys were sealed with
 */
export const loadKeyRing = async (store: SigningKeyStore, sealer: Sealer, runtime: Runtime): Promise<KeyRing> => {
  let keys = await store.list();
  if (keys.length === 0) {
    await store.add(await newKey(FIRST_GENERATION, sealer, runtime));
    keys = await store.list();
  }
  const newest = keys.at(-1);
  if (newest === undefined) throw new Error('the signing key that was just stored is gone');
  const published = { keys: keys.map(({ kid, x }) => ({ kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' })) };
  return { signer: { kid: newest.kid, key: await openKey(newest, sealer) }, published, verifier: createLocalJWKSet(published) };
};
