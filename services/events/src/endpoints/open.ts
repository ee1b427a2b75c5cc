import { openFieldCipher, startRewrap } from '@florin/data/encryption';
import type { Core } from '@florin/data/service';
import type { EventsConfig } from '../config.ts';
import { createWebhookAttemptStore } from '../store/webhook-attempts.ts';
import { createWebhookEndpointStore } from '../store/webhook-endpoints.ts';
import { createWebhookKeyStore, WEBHOOK_KEY_FIELDS } from '../store/webhook-keys.ts';
import { createWebhookProgressStore } from '../store/webhook-progress.ts';
import { createWebhookSecretStore, WEBHOOK_SECRET_FIELDS } from '../store/webhook-secrets.ts';
import { createChangeEndpoints } from './change.ts';
import { createManageEndpoints } from './manage.ts';
import { createSigningKeys } from './signing-keys.ts';

/** Opens what both processes know of the endpoints: stores, changes, and the keys that sign. */
export const openEndpoints = async (
  { store: { connection }, runtime, logger, traceStore, defer }: Core,
  { FIELD_KEYS, FIELD_HASH_KEY }: Pick<EventsConfig, 'FIELD_KEYS' | 'FIELD_HASH_KEY'>,
) => {
  const cipher = await openFieldCipher(connection, FIELD_KEYS, FIELD_HASH_KEY);
  const endpoints = traceStore('webhook-endpoints', createWebhookEndpointStore(connection));
  const secrets = traceStore('webhook-secrets', createWebhookSecretStore(connection, cipher));
  const progress = traceStore('webhook-progress', createWebhookProgressStore(connection));
  const attempts = traceStore('webhook-attempts', createWebhookAttemptStore(connection));
  const keys = createSigningKeys(traceStore('webhook-keys', createWebhookKeyStore(connection, cipher)), runtime);
  const change = createChangeEndpoints(endpoints);
  defer(startRewrap({ connection, fields: { ...WEBHOOK_SECRET_FIELDS, ...WEBHOOK_KEY_FIELDS }, cipher, logger }).close);
  return { endpoints, secrets, progress, attempts, keys, change, manage: createManageEndpoints({ change, secrets, cipher, runtime }) };
};
