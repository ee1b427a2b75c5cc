import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { Runtime } from '@florin/rpc/runtime';
import { needsKey, publishedKeys, signingKey } from '../domain/webhooks/signing-key-times.ts';
import type { WebhookKey, WebhookKeyStore } from '../store/webhook-keys.ts';

/** Thumbprint of an Ed25519 key (RFC 7638). */
const thumbprint = (x: string): string =>
  createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url');

const newKey = (n: number, createdAt: Date): WebhookKey => {
  const { x = '', d = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  return { n, createdAt, kid: thumbprint(x), x, d };
};

/** The platform's keys for webhooks. They sign nothing else, so that no signature of one can pass for a token. */
export const createSigningKeys = (store: WebhookKeyStore, runtime: Pick<Runtime, 'now'>) => {
  const current = async (): Promise<WebhookKey[]> => {
    const keys = await store.list();
    if (!needsKey(keys, runtime.now())) return keys;
    await store.insert(newKey((keys.at(-1)?.n ?? 0) + 1, runtime.now()));
    return store.list();
  };
  return {
    /** The key that signs now. One that is due is made first. */
    signing: async (): Promise<KeyObject> => {
      const found = signingKey(await current(), runtime.now());
      if (found === undefined) throw new Error('there is no key for webhooks');
      const { x, d } = found;
      return createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', x, d }, format: 'jwk' });
    },

    /** The key set of those that verify (RFC 7517). */
    published: async () => ({
      keys: publishedKeys(await current(), runtime.now()).map(({ kid, x }) => ({
        kty: 'OKP',
        crv: 'Ed25519',
        x,
        kid,
        use: 'sig',
        alg: 'EdDSA',
      })),
    }),
  };
};

export type SigningKeys = ReturnType<typeof createSigningKeys>;
