import { CodedError } from '@florin/rpc/errors';
import {
  type DisabledReason,
  type Endpoint,
  MAX_ENDPOINTS,
  type Order,
  type PartnerEndpoints,
  type Replay,
  type SecretRef,
} from './endpoint.ts';

/** How long a secret goes on signing after it was replaced. */
const OVERLAP_MS = 24 * 60 * 60 * 1000;

/** Secrets that sign a delivery at most. */
const MAX_SECRETS = 3;

/** Orders that are remembered, and replays before the last one, by which repeats are recognized. */
const MAX_ORDERS = 20;
const MAX_EARLIER_REPLAYS = 19;

/** Replays that wait to be begun. */
const MAX_REPLAYS = 5;

/** Mails about the endpoints of a partner within a day: nobody has confirmed the addresses. */
const MAX_MAILS = 10;
const MAILS_MS = 24 * 60 * 60 * 1000;

const mailsSince = ({ mails = [] }: PartnerEndpoints, now: Date): Date[] =>
  mails.filter((at) => Math.abs(now.getTime() - at.getTime()) < MAILS_MS);

/** Changes the endpoints of a partner. @returns the same object if nothing changes */
export type Change = (endpoints: PartnerEndpoints) => PartnerEndpoints;

/** @throws CodedError WEBHOOK_ENDPOINT_NOT_FOUND */
export const endpointOf = ({ endpoints }: PartnerEndpoints, id: string): Endpoint => {
  const found = endpoints.find((endpoint) => endpoint.id === id);
  if (found === undefined) throw new CodedError('WEBHOOK_ENDPOINT_NOT_FOUND');
  return found;
};

const changing =
  (id: string, change: (endpoint: Endpoint) => Endpoint): Change =>
  (all) => {
    const found = endpointOf(all, id);
    const changed = change(found);
    if (changed === found) return all;
    return { ...all, endpoints: all.endpoints.map((endpoint) => (endpoint === found ? changed : endpoint)) };
  };

/** @throws CodedError WEBHOOK_ENDPOINT_LIMIT_REACHED, IDEMPOTENCY_KEY_REUSED */
export const adding =
  (endpoint: Endpoint): Change =>
  (all) => {
    const earlier = all.endpoints.find(({ requestId }) => requestId === endpoint.requestId);
    if (earlier !== undefined) {
      if (earlier.inputHash !== endpoint.inputHash) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
      return all;
    }
    if (all.endpoints.length >= MAX_ENDPOINTS) {
      throw new CodedError('WEBHOOK_ENDPOINT_LIMIT_REACHED', { metadata: { limit: String(MAX_ENDPOINTS) } });
    }
    return { ...all, endpoints: [...all.endpoints, endpoint] };
  };

/** Removes an endpoint, if it is there. */
export const removing =
  (id: string): Change =>
  (all) => {
    const endpoints = all.endpoints.filter((endpoint) => endpoint.id !== id);
    return endpoints.length === all.endpoints.length ? all : { ...all, endpoints };
  };

/** A change of the owner's settings: an absent one stays, and a contact that is null is removed. */
type EndpointChange = Partial<Pick<Endpoint, 'url' | 'types' | 'description' | 'dataVersion'>> & { contactId?: string | null };

/** Changes the owner's settings. Failures at a former URL do not count against the new one. @throws CodedError WEBHOOK_ENDPOINT_NOT_FOUND */
export const updating = (id: string, { contactId, ...set }: EndpointChange): Change =>
  changing(id, ({ contactId: former, ...endpoint }) => {
    const contact = contactId === undefined ? former : (contactId ?? undefined);
    return {
      ...endpoint,
      ...set,
      enabled: endpoint.enabled + (set.url === undefined || set.url === endpoint.url ? 0 : 1),
      ...(contact === undefined ? {} : { contactId: contact }),
    };
  });

/**
 * Makes a secret the current one. The one before it signs for another day.
 * @throws CodedError WEBHOOK_ENDPOINT_NOT_FOUND, IDEMPOTENCY_KEY_REUSED for a call that set another secret
 */
export const rotating = (id: string, secret: SecretRef, now: Date): Change =>
  changing(id, (endpoint) => {
    const earlier = endpoint.secrets.findIndex(({ requestId }) => requestId === secret.requestId);
    if (earlier === 0 && endpoint.secrets[0]?.inputHash === secret.inputHash) return endpoint;
    if (earlier >= 0) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
    const endsAt = new Date(now.getTime() + OVERLAP_MS);
    const kept = endpoint.secrets
      .map((former) => ({ ...former, endsAt: former.endsAt ?? endsAt }))
      .filter((former) => former.endsAt > now)
      .slice(0, MAX_SECRETS - 1);
    return { ...endpoint, secrets: [secret, ...kept] };
  });

/** The secrets that sign at a time, the newest first. */
export const secretsAt = ({ secrets }: Pick<Endpoint, 'secrets'>, now: Date): SecretRef[] =>
  secrets.filter(({ endsAt }) => endsAt === undefined || endsAt > now);

/** @throws CodedError WEBHOOK_ENDPOINT_NOT_FOUND */
export const enabling = (id: string): Change =>
  changing(id, (endpoint) => {
    if (endpoint.disabled === undefined) return endpoint;
    const { disabled: _disabled, notice: _notice, ...rest } = endpoint;
    return { ...rest, enabled: endpoint.enabled + 1 };
  });

/**
 * Disables an endpoint that is enabled.
 * @param enabled for a decision about deliveries: the count under which they were made; the endpoint may have been enabled anew, or have another URL, since
 * @throws CodedError WEBHOOK_ENDPOINT_NOT_FOUND
 */
export const disabling =
  (id: string, reason: DisabledReason, at: Date, enabled?: number): Change =>
  (all) => {
    const mails = mailsSince(all, at);
    let isTold = false;
    const changed = changing(id, (endpoint) => {
      if (endpoint.disabled !== undefined || (enabled !== undefined && endpoint.enabled !== enabled)) return endpoint;
      isTold = reason !== 'requested' && endpoint.contactId !== undefined && mails.length < MAX_MAILS;
      return { ...endpoint, disabled: { reason, at }, ...(isTold ? { notice: { reason, at } } : {}) };
    })(all);
    return isTold ? { ...changed, mails: [...mails, at] } : changed;
  };

/** The contact was told. */
export const told = (id: string, at: Date): Change =>
  changing(id, (endpoint) => {
    if (endpoint.notice?.at.getTime() !== at.getTime()) return endpoint;
    const { notice: _notice, ...rest } = endpoint;
    return rest;
  });

const orderLimit = (limit: number): CodedError => new CodedError('WEBHOOK_ORDER_LIMIT_REACHED', { metadata: { limit: String(limit) } });

/**
 * @param begun the last replay that the deliveries have taken up
 * @throws CodedError WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_ORDER_LIMIT_REACHED, IDEMPOTENCY_KEY_REUSED for a call that named another cursor
 */
export const replaying = (id: string, replay: Replay, begun?: string): Change =>
  changing(id, (endpoint) => {
    const { replay: last, earlierReplays: earlier = [] } = endpoint;
    const known = last === undefined ? earlier : [...earlier, last];
    const same = known.find((one) => one.id === replay.id);
    if (same !== undefined) {
      if (same.cursor !== replay.cursor) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
      return endpoint;
    }
    const waiting = known.length - 1 - known.findLastIndex((one) => one.id === begun);
    if (waiting >= MAX_REPLAYS) throw orderLimit(MAX_REPLAYS);
    return { ...endpoint, replay, earlierReplays: known.slice(-MAX_EARLIER_REPLAYS) };
  });

/**
 * @throws CodedError WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_ENDPOINT_DISABLED, WEBHOOK_ORDER_LIMIT_REACHED, IDEMPOTENCY_KEY_REUSED for a call that
 * ordered another event
 */
export const ordering = (id: string, order: Omit<Order, 'isDone'>): Change =>
  changing(id, (endpoint) => {
    const same = endpoint.orders.find((known) => known.id === order.id);
    if (same !== undefined) {
      if (same.sequence !== order.sequence) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
      return endpoint;
    }
    if (endpoint.disabled !== undefined) throw new CodedError('WEBHOOK_ENDPOINT_DISABLED');
    const { orders } = endpoint;
    const surplus = orders.length - MAX_ORDERS + 1;
    const done = orders.filter(({ isDone }) => isDone).slice(0, Math.max(0, surplus));
    if (done.length < surplus) throw orderLimit(MAX_ORDERS);
    return { ...endpoint, orders: [...orders.filter((known) => !done.includes(known)), { ...order, isDone: false }] };
  });

/** The order was carried out. */
export const finishing = (id: string, orderId: string): Change =>
  changing(id, (endpoint) => {
    if (!endpoint.orders.some((order) => order.id === orderId && !order.isDone)) return endpoint;
    return { ...endpoint, orders: endpoint.orders.map((order) => (order.id === orderId ? { ...order, isDone: true } : order)) };
  });
