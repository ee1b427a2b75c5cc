import { createHmac } from 'node:crypto';
import { ConfigError } from '@florin/rpc/config';
import { toCodedError } from '@florin/rpc/errors';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';
import type { Expiry } from '../domain/card.ts';
import { CARD_VERIFICATION_KEY_BYTES, securityCode } from '../domain/security-code.ts';
import type { KeyManagement } from '../ports/key-management.ts';
import type { VaultKeyStore } from '../store/vault-keys.ts';
import { createExchangeKey, type ExchangeKey } from './exchange-key.ts';

/** The vault's own keys. They are made once, at the first start, and stored wrapped. */
export type VaultKeys = {
  /** Keyed hash of a number, by which it is found and unique (PCI DSS 3.5.1.1). */
  hashPan: (pan: string) => string;
  /** Keyed hash of a card's PIN: ten thousand PINs are tried in no time without the key. */
  hashPin: (cardId: string, pin: string) => string;
  /** The code printed on the card (CVV2). */
  securityCode: (pan: string, expiry: Expiry) => string;
  /** The key to which apps and adapters encrypt. */
  exchange: ExchangeKey;
};

const HASH_KEY_BYTES = 32;

export const contextOfVaultKey = (name: string): string => `vault-key:${name}`;

type Parts = { kms: KeyManagement; store: VaultKeyStore; now: () => Date; randomBytes: (size: number) => Uint8Array };

/**
 * Opens the vault's keys, and makes those that are missing.
 * @throws ConfigError when the KMS does not decrypt the stored keys
 * @throws the error of a store or KMS that is unavailable
 */
export const openVaultKeys = async ({ kms, store, now, randomBytes }: Parts): Promise<VaultKeys> => {
  const open = async (name: string, make: () => Promise<Uint8Array> | Uint8Array): Promise<Uint8Array> => {
    const context = contextOfVaultKey(name);
    const wrapped = (await store.find(name)) ?? (await store.insertOrFind(name, await kms.wrap(await make(), context), now()));
    try {
      return await kms.unwrap(wrapped, context);
    } catch (cause) {
      if (toCodedError(cause).code === 'SERVICE_UNAVAILABLE') throw cause;
      throw new ConfigError(`VAULT_MASTER_KEYS: does not decrypt the vault's own keys, which need key ${wrapped.keyId}`, { cause });
    }
  };
  const hashWith = (key: Uint8Array, text: string) => createHmac('sha256', key).update(text).digest('base64url');

  const panIndex = await open('pan-index', () => randomBytes(HASH_KEY_BYTES));
  const pinIndex = await open('pin-index', () => randomBytes(HASH_KEY_BYTES));
  const verification = await open('card-verification', () => randomBytes(CARD_VERIFICATION_KEY_BYTES));
  const exchange = await open('exchange', async () => {
    const { privateKey } = await generateKeyPair('ECDH-ES', { crv: 'P-256', extractable: true });
    const jwk = await exportJWK(privateKey);
    return Buffer.from(JSON.stringify({ ...jwk, kid: await calculateJwkThumbprint(jwk) }));
  });
  return {
    hashPan: (pan) => hashWith(panIndex, pan),
    hashPin: (cardId, pin) => hashWith(pinIndex, `${cardId}:${pin}`),
    securityCode: (pan, expiry) => securityCode(verification, pan, expiry),
    exchange: await createExchangeKey(JSON.parse(Buffer.from(exchange).toString()) as JWK),
  };
};
