import { type RevokedSessions, tokensOfKey } from '@florin/rpc/auth';
import { ConfigError } from '@florin/rpc/config';
import { CodedError } from '@florin/rpc/errors';
import type { Logger } from '@florin/rpc/observe';
import type { Runtime } from '@florin/rpc/runtime';
import { pause, startRounds } from '@florin/rpc/time';
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
import {
  forgottenKeysAt,
  KEY_POLL_MS,
  PUBLISHED_AHEAD_MS,
  pendingKeyAt,
  retiredKeysAt,
  signingKeyAt,
  TAKEOVER_MS,
} from '../domain/signing-key-times.ts';
import type { VersionedSealer } from '../ports/master-keys.ts';
import type { PublishRevocations } from '../sessions/announcements.ts';
import type { SigningKeyStore, StoredSigningKey } from '../store/signing-keys.ts';

/** Keys of access tokens. Several are published, one of them signs. */
export type KeyRing = {
  /** The key that signs now. */
  signer: () => { kid: string; key: CryptoKey | Uint8Array };
  /** Public halves of the keys (RFC 7517). */
  published: () => JSONWebKeySet;
  /** The published keys for verification in this process, without a network call. */
  verifier: JWTVerifyGetKey;
  /** Creates the next key, or returns the one that is published and does not sign yet. */
  rotate: () => Promise<{ kid: string; signsFrom: Date }>;
  /**
   * Revokes a key in every process: its tokens are refused at once, and its sessions get new tokens when they refresh. When the key signs,
   * another one takes over first, which takes five seconds. Can be repeated, and finishes the work of a killed call.
   * @returns the key that signs now
   * @throws CodedError SIGNING_KEY_NOT_FOUND
   */
  revoke: (kid: string) => Promise<{ kid: string }>;
  /** Names of the revoked keys, for the published document. */
  revokedNames: () => readonly string[];
  close: () => Promise<void>;
};

const FIRST_GENERATION = 1;

const newKey = async (generation: number, sealer: VersionedSealer, createdAt: Date, signsFrom: Date): Promise<StoredSigningKey> => {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  return { generation, kid, x: String(jwk.x), sealed: await sealer.seal(JSON.stringify(jwk), kid), createdAt, signsFrom };
};

const openKey = async ({ sealed, kid }: StoredSigningKey, sealer: VersionedSealer) => {
  let text: string;
  try {
    text = await sealer.open(sealed, kid);
  } catch (cause) {
    // A new key would end every session and hide the mistake.
    throw new ConfigError('IDENTITY_MASTER_KEYS: does not decrypt the stored signing keys', { cause });
  }
  return importJWK(JSON.parse(text), 'EdDSA');
};

const publicHalf = ({ kid, x }: StoredSigningKey) => ({ kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' });

type OpenKey = StoredSigningKey & { key: CryptoKey | Uint8Array };

type Parts = {
  store: SigningKeyStore;
  sealer: VersionedSealer;
  revoked: Pick<RevokedSessions, 'add'>;
  publish: PublishRevocations;
  runtime: Runtime;
  logger: Logger;
};

const namesOf = (keys: readonly StoredSigningKey[]): string[] => keys.map(({ kid }) => tokensOfKey(kid));

/**
 * Loads the signing keys and follows changes by other instances. The first start creates a key. Instances that create a key at the
 * same time agree on one, because its `_id` is its generation: the instance whose insert fails loads the other key. Keys that were sealed
 * with an older master key are sealed anew.
 * @throws ConfigError when the master keys do not decrypt the stored keys
 */
export const openKeyRing = async ({ store, sealer, revoked, publish, runtime, logger }: Parts): Promise<KeyRing> => {
  let stored: readonly StoredSigningKey[] = [];
  /** Those that are not revoked. */
  let keys: readonly OpenKey[] = [];
  let published: JSONWebKeySet = { keys: [] };
  let verifier = createLocalJWKSet(published);

  const load = async (): Promise<void> => {
    stored = await store.list();
    revoked.add(namesOf(stored.filter(({ revokedAt }) => revokedAt != null)));
    const usable = stored.filter(({ revokedAt }) => revokedAt == null);
    const known = new Map(keys.map((key) => [key.kid, key.key]));
    const opened = await Promise.all(usable.map(async (one) => ({ ...one, key: known.get(one.kid) ?? (await openKey(one, sealer)) })));
    const isUnchanged = opened.length === keys.length && opened.every(({ kid }) => known.has(kid));
    keys = opened;
    if (isUnchanged) return;
    published = { keys: opened.map(publicHalf) };
    verifier = createLocalJWKSet(published);
  };

  const resealOld = async (): Promise<void> => {
    const old = keys.filter(({ sealed }) => !sealer.isCurrent(sealed));
    for (const { generation, kid, sealed } of old) {
      await store.reseal(generation, sealed, await sealer.seal(await sealer.open(sealed, kid), kid));
      logger.info({ kid }, 'signing key sealed anew with the current master key');
    }
  };

  const announceRevoked = async (): Promise<void> => {
    const waiting = stored.filter(({ unannounced }) => unannounced === true);
    if (waiting.length === 0) return;
    await publish(namesOf(waiting));
    await store.markAnnounced(waiting.map(({ kid }) => kid));
  };

  const round = async (): Promise<void> => {
    await load();
    await announceRevoked();
    await resealOld();
    const past = [...retiredKeysAt(keys, runtime.now()), ...forgottenKeysAt(stored, runtime.now())];
    if (past.length === 0) return;
    await store.remove(past.map(({ generation }) => generation));
    await load();
  };

  const create = async (signsFrom: Date): Promise<void> => {
    const generation = (stored.at(-1)?.generation ?? FIRST_GENERATION - 1) + 1;
    await store.add(await newKey(generation, sealer, runtime.now(), signsFrom));
    await load();
  };

  const signer = (): OpenKey => {
    const found = signingKeyAt(keys, runtime.now());
    if (found === undefined) throw new Error('there is no signing key');
    return found;
  };

  /** Replaces this key by one whose tokens have not been used yet. */
  const takeOver = async (kid: string): Promise<void> => {
    const signsFrom = new Date(runtime.now().getTime() + TAKEOVER_MS);
    const others = keys.filter((key) => key.kid !== kid);
    const pending = pendingKeyAt(others, runtime.now());
    if (pending === undefined) await create(signsFrom);
    else await store.advance(pending.generation, signsFrom);
    await pause(TAKEOVER_MS);
    await load();
  };

  await load();
  if (keys.length === 0) await create(runtime.now());
  const rounds = startRounds({ round, intervalMs: KEY_POLL_MS, logger, failed: 'loading signing keys failed, will be retried' });

  return {
    signer: () => {
      const { kid, key } = signer();
      return { kid, key };
    },
    published: () => published,
    verifier: (header, token) => verifier(header, token),
    rotate: async () => {
      await load();
      const now = runtime.now();
      if (pendingKeyAt(keys, now) === undefined) await create(new Date(now.getTime() + PUBLISHED_AHEAD_MS));
      const pending = pendingKeyAt(keys, now);
      if (pending === undefined) throw new Error('the new signing key is missing from the store');
      return { kid: pending.kid, signsFrom: pending.signsFrom };
    },
    revoke: async (kid) => {
      await load();
      const found = stored.find((key) => key.kid === kid);
      if (found === undefined) throw new CodedError('SIGNING_KEY_NOT_FOUND');
      if (found.revokedAt == null) {
        if (signer().kid === kid) await takeOver(kid);
        await store.revoke(kid, runtime.now());
        await load();
      }
      await announceRevoked();
      return { kid: signer().kid };
    },
    revokedNames: () => namesOf(stored.filter(({ revokedAt }) => revokedAt != null)),
    close: rounds.close,
  };
};
