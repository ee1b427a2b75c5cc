import { ConfigError } from '@florin/rpc/config';
import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import { startRounds } from '@florin/rpc/time';
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
import { KEY_POLL_MS, PUBLISHED_AHEAD_MS, pendingKeyAt, retiredKeysAt, signingKeyAt } from '../domain/signing-key-times.ts';
import type { SigningKeyStore, StoredSigningKey } from '../store/signing-keys.ts';

/** The keys of access tokens: several are published, one of them signs. */
export type KeyRing = {
  /** What signs now. */
  signer: () => { kid: string; key: CryptoKey | Uint8Array };
  /** Public halves (RFC 7517), without anything private. */
  published: () => JSONWebKeySet;
  /** The same for the service's own verification, without a way through the network. */
  verifier: JWTVerifyGetKey;
  /** Makes the next key, or answers the one that waits to sign. */
  rotate: () => Promise<{ kid: string; signsFrom: Date }>;
  close: () => Promise<void>;
};

const FIRST_GENERATION = 1;

const newKey = async (generation: number, sealer: Sealer, createdAt: Date, signsFrom: Date): Promise<StoredSigningKey> => {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  return { generation, kid, x: String(jwk.x), sealed: await sealer.seal(JSON.stringify(jwk), kid), createdAt, signsFrom };
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

const publicHalf = ({ kid, x }: StoredSigningKey) => ({ kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' });

type OpenKey = StoredSigningKey & { key: CryptoKey | Uint8Array };

/**
 * Loads the signing keys and keeps up with what other instances make of them. The very first start makes one. Instances that make a key
 * at the same time agree on one, because its `_id` is its generation: the loser of the insert loads the winner's.
 * @throws ConfigError when the master key is not the one that the keys were sealed with
 */
export const openKeyRing = async (store: SigningKeyStore, sealer: Sealer, runtime: Runtime, logger: Logger): Promise<KeyRing> => {
  let keys: readonly OpenKey[] = [];
  let published: JSONWebKeySet = { keys: [] };
  let verifier = createLocalJWKSet(published);

  const load = async (): Promise<void> => {
    const stored = await store.list();
    const known = new Map(keys.map((key) => [key.kid, key]));
    const opened = await Promise.all(stored.map(async (one) => known.get(one.kid) ?? { ...one, key: await openKey(one, sealer) }));
    const isUnchanged = opened.length === keys.length && opened.every((key) => known.has(key.kid));
    if (isUnchanged) return;
    keys = opened;
    published = { keys: opened.map(publicHalf) };
    verifier = createLocalJWKSet(published);
  };

  const round = async (): Promise<void> => {
    await load();
    const retired = retiredKeysAt(keys, runtime.now());
    if (retired.length === 0) return;
    await store.remove(retired.map(({ generation }) => generation));
    await load();
  };

  await load();
  if (keys.length === 0) {
    const now = runtime.now();
    await store.add(await newKey(FIRST_GENERATION, sealer, now, now));
    await load();
  }
  const rounds = startRounds({ round, intervalMs: KEY_POLL_MS, logger, failed: 'signing keys could not be looked at, will be repeated' });

  return {
    signer: () => {
      const signer = signingKeyAt(keys, runtime.now());
      if (signer === undefined) throw new Error('no signing key is stored');
      return { kid: signer.kid, key: signer.key };
    },
    published: () => published,
    verifier: (header, token) => verifier(header, token),
    rotate: async () => {
      await load();
      const now = runtime.now();
      const newest = keys.at(-1);
      if (newest !== undefined && pendingKeyAt(keys, now) === undefined) {
        const signsFrom = new Date(now.getTime() + PUBLISHED_AHEAD_MS);
        await store.add(await newKey(newest.generation + 1, sealer, now, signsFrom));
        await load();
      }
      const pending = pendingKeyAt(keys, now);
      if (pending === undefined) throw new Error('the signing key that was just stored is gone');
      return { kid: pending.kid, signsFrom: pending.signsFrom };
    },
    close: rounds.close,
  };
};
