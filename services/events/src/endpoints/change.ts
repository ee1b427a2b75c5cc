import { CodedError } from '@florin/rpc/errors';
import { pause } from '@florin/rpc/time';
import type { Change } from '../domain/webhooks/change-endpoints.ts';
import type { PartnerEndpoints } from '../domain/webhooks/endpoint.ts';
import type { WebhookEndpointStore } from '../store/webhook-endpoints.ts';

/** The endpoints of a partner before and after a change. */
export type Changed = { before: PartnerEndpoints; after: PartnerEndpoints };

/** Changes the endpoints of a partner by one write. @throws CodedError what the change raises, SERVICE_UNAVAILABLE */
export type ChangeEndpoints = (feed: string, change: Change) => Promise<Changed>;

/** Consecutive lost races. */
const MAX_TRIES = 50;
const MAX_PAUSE_MS = 10;

/** Of two changes at the same time, one is written, and the other one is made again on what the first has left. */
export const createChangeEndpoints =
  (store: Pick<WebhookEndpointStore, 'find' | 'replace'>): ChangeEndpoints =>
  async (feed, change) => {
    for (let lost = 0; lost < MAX_TRIES; lost += 1) {
      const before = await store.find(feed);
      const after = change(before);
      if (after === before || (await store.replace(after))) return { before, after };
      await pause(Math.random() * MAX_PAUSE_MS);
    }
    throw new CodedError('SERVICE_UNAVAILABLE', { message: 'the endpoints are changed too often' });
  };
