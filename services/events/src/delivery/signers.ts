import type { KeyObject } from 'node:crypto';
import type { Runtime } from '@florin/rpc/runtime';
import { LRUCache } from 'lru-cache';
import { secretsAt } from '../domain/webhooks/change-endpoints.ts';
import type { Endpoint } from '../domain/webhooks/endpoint.ts';
import { parseSecret, type Signers } from '../domain/webhooks/signing.ts';
import type { SigningKeys } from '../endpoints/signing-keys.ts';
import type { WebhookSecretStore } from '../store/webhook-secrets.ts';

type Parts = {
  secrets: Pick<WebhookSecretStore, 'find'>;
  keys: Pick<SigningKeys, 'signing'>;
  runtime: Pick<Runtime, 'now'>;
};

/** Secrets in memory, some hundred bytes each. */
const MAX_SECRETS = 50_000;

/** How long the platform's key is used before it is looked up again, in milliseconds. */
const KEY_MS = 60_000;

/** Finds what signs the deliveries to an endpoint now. @returns a function that rejects when a secret cannot be read */
export const createSignersOf = ({ secrets, keys, runtime }: Parts): ((endpoint: Endpoint) => Promise<Signers>) => {
  const known = new LRUCache<string, Uint8Array>({ max: MAX_SECRETS });
  let key: { found: Promise<KeyObject>; at: number } | undefined;

  const currentKey = (): Promise<KeyObject> => {
    if (key !== undefined && performance.now() - key.at < KEY_MS) return key.found;
    const found = keys.signing();
    const asked = { found, at: performance.now() };
    key = asked;
    found.catch(() => {
      if (key === asked) key = undefined;
    });
    return found;
  };

  return async (endpoint) => {
    const ids = secretsAt(endpoint, runtime.now()).map(({ id }) => id);
    const missing = ids.filter((id) => !known.has(id));
    if (missing.length > 0) for (const [id, text] of await secrets.find(missing)) known.set(id, parseSecret(text));
    const found = ids.flatMap((id) => known.get(id) ?? []);
    if (found.length === 0) throw new Error('the endpoint has no secret');
    return { secrets: found, key: await currentKey() };
  };
};
