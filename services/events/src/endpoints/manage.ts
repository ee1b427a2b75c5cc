import type { FieldCipher } from '@florin/data/encryption';
import { DATA_VERSION } from '@florin/proto/events/v1/event-types';
import { CodedError } from '@florin/rpc/errors';
import { hashInput } from '@florin/rpc/hashing';
import type { Runtime } from '@florin/rpc/runtime';
import { adding, type Change, endpointOf, removing, rotating, updating } from '../domain/webhooks/change-endpoints.ts';
import { type Endpoint, type PartnerEndpoints, type SecretRef, textsOf } from '../domain/webhooks/endpoint.ts';
import { formatSecret, parseSecret, SECRET_BYTES } from '../domain/webhooks/signing.ts';
import type { WebhookSecretStore } from '../store/webhook-secrets.ts';
import type { ChangeEndpoints } from './change.ts';

/** The fields that the owner sets. */
export type Settings = { url: string; types: string[]; description: string; contactEmail: string; dataVersion?: number };

type Parts = {
  change: ChangeEndpoints;
  secrets: WebhookSecretStore;
  cipher: Pick<FieldCipher, 'hash'>;
  runtime: Pick<Runtime, 'now' | 'newId' | 'randomBytes'>;
};

/** An endpoint with the secret that a call has set; empty in a repeat after it was replaced. */
export type WithSecret = { endpoint: Endpoint; secret: string };

const allTexts = ({ endpoints }: PartnerEndpoints): string[] => endpoints.flatMap(textsOf);

/** Creates, changes and removes endpoints with their sealed texts: a text is stored before an endpoint refers to it, and deleted after none does. */
export const createManageEndpoints = ({ change, secrets, cipher, runtime }: Parts) => {
  const apply = async (feed: string, make: Change, stored: readonly string[]): Promise<PartnerEndpoints> => {
    try {
      const { before, after } = await change(feed, make);
      const inUse = new Set(allTexts(after));
      await secrets.remove([...allTexts(before), ...stored].filter((id) => !inUse.has(id)));
      return after;
    } catch (error) {
      // Any other error may be a lost answer to a write that was applied, and the endpoint then refers to the texts.
      if (error instanceof CodedError) await secrets.remove(stored);
      throw error;
    }
  };

  const store = async (endpointId: string, text: string): Promise<string | undefined> => {
    if (text === '') return undefined;
    const id = runtime.newId();
    await secrets.insert(id, endpointId, text);
    return id;
  };

  const hashOf = (input: unknown): string => cipher.hash('webhook-request', hashInput(input));

  const newSecret = async (endpointId: string, requestId: string, text: string, input: unknown): Promise<SecretRef> => {
    const bytes = text === '' ? runtime.randomBytes(SECRET_BYTES) : parseSecret(text);
    const id = runtime.newId();
    await secrets.insert(id, endpointId, formatSecret(bytes));
    return { id, requestId, inputHash: hashOf(input) };
  };

  const secretOf = async ({ secrets: refs }: Endpoint, requestId: string): Promise<string> => {
    const id = refs.find((ref) => ref.requestId === requestId)?.id ?? '';
    return (await secrets.find([id])).get(id) ?? '';
  };

  return {
    /** @throws CodedError WEBHOOK_SECRET_INVALID, WEBHOOK_ENDPOINT_LIMIT_REACHED, IDEMPOTENCY_KEY_REUSED */
    create: async (
      feed: string,
      {
        requestId,
        secret,
        after,
        startAfter,
        ...settings
      }: Settings & { requestId: string; secret: string; after: string; startAfter: number },
    ): Promise<WithSecret> => {
      const { contactEmail, ...set } = settings;
      const id = runtime.newId();
      const ref = await newSecret(id, requestId, secret, { ...settings, secret, after });
      const contactId = await store(id, contactEmail);
      const endpoint: Endpoint = {
        dataVersion: DATA_VERSION,
        ...set,
        id,
        requestId,
        inputHash: ref.inputHash,
        createdAt: runtime.now(),
        startAfter,
        enabled: 0,
        secrets: [ref],
        orders: [],
        ...(contactId === undefined ? {} : { contactId }),
      };
      const stored = textsOf(endpoint);
      const { endpoints } = await apply(feed, adding(endpoint), stored);
      const created = endpoints.find((one) => one.requestId === requestId) ?? endpoint;
      return { endpoint: created, secret: await secretOf(created, requestId) };
    },

    /** @throws CodedError WEBHOOK_ENDPOINT_NOT_FOUND */
    update: async (feed: string, id: string, { contactEmail, ...set }: Partial<Settings>): Promise<Endpoint> => {
      if (contactEmail === undefined) return endpointOf(await apply(feed, updating(id, set), []), id);
      const contactId = await store(id, contactEmail);
      const change = updating(id, { ...set, contactId: contactId ?? null });
      return endpointOf(await apply(feed, change, contactId === undefined ? [] : [contactId]), id);
    },

    /** @throws CodedError WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_SECRET_INVALID, IDEMPOTENCY_KEY_REUSED */
    rotate: async (feed: string, id: string, { requestId, secret }: { requestId: string; secret: string }): Promise<WithSecret> => {
      const ref = await newSecret(id, requestId, secret, { secret });
      const endpoint = endpointOf(await apply(feed, rotating(id, ref, runtime.now()), [ref.id]), id);
      return { endpoint, secret: await secretOf(endpoint, requestId) };
    },

    remove: async (feed: string, id: string): Promise<void> => {
      const { before } = await change(feed, removing(id));
      if (before.endpoints.some((endpoint) => endpoint.id === id)) await secrets.removeOf(id);
    },

    /** Addresses of the contacts of endpoints, by endpoint. */
    contactsOf: async (endpoints: readonly Endpoint[]): Promise<Map<string, string>> => {
      const texts = await secrets.find(endpoints.flatMap(({ contactId }) => (contactId === undefined ? [] : [contactId])));
      return new Map(endpoints.map(({ id, contactId = '' }) => [id, texts.get(contactId) ?? '']));
    },
  };
};

export type ManageEndpoints = ReturnType<typeof createManageEndpoints>;
