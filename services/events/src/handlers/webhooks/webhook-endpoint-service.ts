import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  type CreateWebhookEndpointRequest,
  type DeleteWebhookEndpointRequest,
  type DisableWebhookEndpointRequest,
  type EnableWebhookEndpointRequest,
  type GetWebhookEndpointRequest,
  type ListFailingWebhookEndpointsRequest,
  type ListWebhookAttemptsRequest,
  type ListWebhookEndpointsRequest,
  type ListWebhookKeysRequest,
  type RedeliverWebhookEventRequest,
  type ReplayWebhookEventsRequest,
  type RotateWebhookSecretRequest,
  type SendTestWebhookEventRequest,
  type UpdateWebhookEndpointRequest,
  WebhookEndpointService,
} from '@florin/proto/events/v1/webhook_endpoint_service';
import type { ServiceCaller } from '@florin/rpc/auth';
import { requireFields } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import { implement, publicMethod, type ServiceImplementation, serviceMethod } from '@florin/rpc/server';
import { parseCursor } from '../../domain/cursor.ts';
import { type Change, disabling, enabling, endpointOf, ordering, replaying } from '../../domain/webhooks/change-endpoints.ts';
import type { Page, ReadOptions } from '../../reading/read-feed.ts';
import { feedOf } from '../fields.ts';
import type { WebhookDependencies } from './dependencies.ts';
import { changedSettingsOf, settingsOf } from './fields.ts';
import { REASONS, toWireAttempt, toWireEndpoint, toWireEndpoints } from './to-wire.ts';

type Parts = { read: (options: ReadOptions) => Promise<Page> };

/**
 * Sequence after which deliveries begin.
 * @param after a cursor; undefined for the end of the feed, empty for the oldest event that is kept
 * @throws CodedError CURSOR_INVALID, CURSOR_AHEAD, EVENTS_ARCHIVED
 */
const startOf = async ({ read }: Parts, feed: string, after: string | undefined): Promise<number> => {
  const sequence = after === undefined ? undefined : parseCursor(feed, after);
  const page = await read({ feed, after: sequence, filter: undefined, limit: 1 });
  if (after === undefined) return page.checkpoint.sequence;
  return sequence ?? page.next - page.events.length;
};

/**
 */
const createWebhookEndpoint = (dependencies: WebhookDependencies) =>
  serviceMethod(async (request: CreateWebhookEndpointRequest, { caller }) => {
    const { requestId, partnerId, secret, after } = request;
    const feed = feedOf(caller, partnerId);
    const set = settingsOf(dependencies, request);
    const startAfter = await startOf(dependencies, feed, after === '' ? undefined : after);
    const created = await dependencies.manage.create(feed, { ...set, requestId, secret, after, startAfter });
    return { endpoint: await toWireEndpoint(dependencies, feed, created.endpoint), secret: created.secret };
  });

const getWebhookEndpoint = (dependencies: WebhookDependencies) =>
  serviceMethod(async (request: GetWebhookEndpointRequest, { caller }) => {
    const { endpointId, partnerId } = request;
    const feed = feedOf(caller, partnerId);
    const endpoint = endpointOf(await dependencies.endpoints.find(feed), endpointId);
    return { endpoint: await toWireEndpoint(dependencies, feed, endpoint) };
  });

const listWebhookEndpoints = (dependencies: WebhookDependencies) =>
  serviceMethod(async (request: ListWebhookEndpointsRequest, { caller }) => {
    const feed = feedOf(caller, request.partnerId);
    const { endpoints } = await dependencies.endpoints.find(feed);
    return { endpoints: await toWireEndpoints(dependencies, feed, endpoints) };
  });

/** The most endpoints of a page of ListFailingWebhookEndpoints. */
const FAILING_LIMIT = 100;

/** A page of the endpoints that are tried although their deliveries fail. The disabled ones follow on the last. */
const failingPage = async ({ endpoints, progress }: WebhookDependencies, feed: string | undefined, limit: number, cursor: string) => {
  const [, since = '', id = ''] = cursor.split('/');
  const failing = await progress.failing(limit, cursor === '' ? undefined : { since: new Date(Number(since)), id });
  const partners = await endpoints.findByIds(feed, [...failing.keys()]);
  const tried = new Map(partners.flatMap((partner) => partner.endpoints.flatMap((one) => (one.disabled ? [] : [[one.id, partner.feed]]))));
  const found = [...failing].flatMap(([endpointId, at]) => {
    const partnerId = tried.get(endpointId);
    return partnerId === undefined ? [] : [{ id: endpointId, partnerId, since: timestampFromDate(at) }];
  });
  const last = [...failing].at(-1);
  return { endpoints: found, nextCursor: last && failing.size === limit ? `failing/${last[1].getTime()}/${last[0]}` : 'disabled//' };
};

/** A page of the endpoints that were disabled because their deliveries failed. One that its owner has disabled needs nobody. */
const disabledPage = async ({ endpoints }: WebhookDependencies, feed: string | undefined, limit: number, cursor: string) => {
  const [, from = '', after = ''] = cursor.split('/');
  // Nothing may be left of the first one, and one more tells that another page follows.
  const partners = await endpoints.findDisabled(feed, from, limit + 2);
  const found = partners.flatMap((partner) =>
    partner.endpoints
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .flatMap(({ id, disabled }) => {
        if (disabled === undefined || disabled.reason === 'requested' || (partner.feed === from && id <= after)) return [];
        const since = timestampFromDate(disabled.at);
        return [{ id, partnerId: partner.feed, disabledReason: REASONS.toValue(disabled.reason), since }];
      }),
  );
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return { endpoints: page, nextCursor: last && found.length > limit ? `disabled/${last.partnerId}/${last.id}` : '' };
};

/** Endpoints that need their owners. */
const listFailingWebhookEndpoints = (dependencies: WebhookDependencies) =>
  serviceMethod(({ limit, cursor }: ListFailingWebhookEndpointsRequest, { caller }) => {
    const page = cursor.startsWith('disabled/') ? disabledPage : failingPage;
    return page(dependencies, caller.partnerId, limit || FAILING_LIMIT, cursor);
  });

const updateWebhookEndpoint = (dependencies: WebhookDependencies) =>
  serviceMethod(async (request: UpdateWebhookEndpointRequest, { caller }) => {
    const { endpointId, partnerId } = request;
    const feed = feedOf(caller, partnerId);
    const endpoint = await dependencies.manage.update(feed, endpointId, changedSettingsOf(dependencies, request));
    return { endpoint: await toWireEndpoint(dependencies, feed, endpoint) };
  });

const deleteWebhookEndpoint = ({ manage }: WebhookDependencies) =>
  serviceMethod(async (request: DeleteWebhookEndpointRequest, { caller }) => {
    const { endpointId, partnerId } = request;
    await manage.remove(feedOf(caller, partnerId), endpointId);
    return {};
  });

const rotateWebhookSecret = (dependencies: WebhookDependencies) =>
  serviceMethod(async (request: RotateWebhookSecretRequest, { caller }) => {
    const { endpointId, partnerId, requestId, secret: given } = request;
    const feed = feedOf(caller, partnerId);
    const { endpoint, secret } = await dependencies.manage.rotate(feed, endpointId, { requestId, secret: given });
    return { endpoint: await toWireEndpoint(dependencies, feed, endpoint), secret };
  });

/** Changes an endpoint that a request names. @throws CodedError WEBHOOK_ENDPOINT_NOT_FOUND, FORBIDDEN, VALIDATION_FAILED */
const changing =
  (dependencies: WebhookDependencies, changeOf: (id: string) => Change) =>
  async (request: EnableWebhookEndpointRequest | DisableWebhookEndpointRequest, { caller }: { caller: ServiceCaller }) => {
    const { endpointId, partnerId } = request;
    const feed = feedOf(caller, partnerId);
    const { after } = await dependencies.change(feed, changeOf(endpointId));
    return { endpoint: await toWireEndpoint(dependencies, feed, endpointOf(after, endpointId)) };
  };

/** @throws CodedError WEBHOOK_ENDPOINT_NOT_FOUND, FORBIDDEN, VALIDATION_FAILED */
const enableWebhookEndpoint = (dependencies: WebhookDependencies) => {
  const enable = changing(dependencies, enabling);
  return serviceMethod((request: EnableWebhookEndpointRequest, call) => enable(request, call));
};

/** @throws CodedError WEBHOOK_ENDPOINT_NOT_FOUND, FORBIDDEN, VALIDATION_FAILED */
const disableWebhookEndpoint = (dependencies: WebhookDependencies) => {
  const disable = changing(dependencies, (id) => disabling(id, 'requested', dependencies.runtime.now()));
  return serviceMethod((request: DisableWebhookEndpointRequest, call) => disable(request, call));
};

/**
 */
const replayWebhookEvents = (dependencies: WebhookDependencies) =>
  serviceMethod(async (request: ReplayWebhookEventsRequest, { caller }) => {
    const { requestId, endpointId, partnerId, after } = request;
    const feed = feedOf(caller, partnerId);
    endpointOf(await dependencies.endpoints.find(feed), endpointId);
    const replay = { id: requestId, cursor: after, after: await startOf(dependencies, feed, after) };
    const begun = (await dependencies.progress.find([endpointId])).get(endpointId)?.replayId;
    const changed = await dependencies.change(feed, replaying(endpointId, replay, begun));
    return { endpoint: await toWireEndpoint(dependencies, feed, endpointOf(changed.after, endpointId)) };
  });

/** Finds the place of the event that a request names. @throws CodedError EVENT_NOT_FOUND */
const placeOf = async ({ blocks }: WebhookDependencies, feed: string, request: RedeliverWebhookEventRequest): Promise<number> => {
  const { eventId } = request;
  if (eventId === '') return Number(request.sequence);
  const sequence = await blocks.sequenceOf(feed, eventId);
  if (sequence === undefined) throw new CodedError('EVENT_NOT_FOUND');
  return sequence;
};

const redeliverWebhookEvent = (dependencies: WebhookDependencies) =>
  serviceMethod(async (request: RedeliverWebhookEventRequest, { caller }) => {
    const { requestId, endpointId, partnerId } = request;
    const isNamedOnce = (request.sequence === 0n) === (request.eventId !== '');
    requireFields({ sequence: isNamedOnce ? undefined : 'is required, or event_id in its place' });
    const feed = feedOf(caller, partnerId);
    endpointOf(await dependencies.endpoints.find(feed), endpointId);
    const sequence = await placeOf(dependencies, feed, request);
    const { checkpoint, events } = await dependencies.read({ feed, after: sequence - 1, filter: undefined, limit: 1 });
    if (sequence > checkpoint.sequence) throw new CodedError('CURSOR_AHEAD', { message: 'sequence: is beyond the end of the feed' });
    await dependencies.change(feed, ordering(endpointId, { id: requestId, sequence, at: dependencies.runtime.now() }));
    return { eventId: events[0]?.id ?? '' };
  });

const sendTestWebhookEvent = ({ change, runtime }: WebhookDependencies) =>
  serviceMethod(async (request: SendTestWebhookEventRequest, { caller }) => {
    const { requestId, endpointId, partnerId } = request;
    await change(feedOf(caller, partnerId), ordering(endpointId, { id: requestId, sequence: 0, at: runtime.now() }));
    return {};
  });

const DEFAULT_LIMIT = 50;

const listWebhookAttempts = ({ endpoints, attempts, blocks }: WebhookDependencies) =>
  serviceMethod(async (request: ListWebhookAttemptsRequest, { caller }) => {
    const { endpointId, partnerId, cursor, eventId } = request;
    const feed = feedOf(caller, partnerId);
    endpointOf(await endpoints.find(feed), endpointId);
    const limit = request.limit || DEFAULT_LIMIT;
    const named = request.sequence === 0n ? undefined : Number(request.sequence);
    // Attempts are indexed by the event's place. A test event has none, and one that is archived is found without it.
    const event = eventId === '' ? {} : { eventId };
    const sequence = named ?? (eventId === '' ? undefined : await blocks.sequenceOf(feed, eventId));
    const found = await attempts.list(endpointId, { before: cursor, limit: limit + 1, sequence, ...event });
    const page = found.slice(0, limit);
    return { attempts: page.map(toWireAttempt), nextCursor: found.length > limit ? (page.at(-1)?.id ?? '') : '' };
  });

/** Publishes the keys of the signatures `v1a`. */
const listWebhookKeys = ({ keys }: WebhookDependencies) =>
  publicMethod(async (_request: ListWebhookKeysRequest) => ({ jwksJson: JSON.stringify(await keys.published()) }));

/** Implementation of the contract `WebhookEndpointService`. */
export const webhookEndpointService = (dependencies: WebhookDependencies): ServiceImplementation =>
  implement(WebhookEndpointService, {
    createWebhookEndpoint: createWebhookEndpoint(dependencies),
    getWebhookEndpoint: getWebhookEndpoint(dependencies),
    listWebhookEndpoints: listWebhookEndpoints(dependencies),
    listFailingWebhookEndpoints: listFailingWebhookEndpoints(dependencies),
    updateWebhookEndpoint: updateWebhookEndpoint(dependencies),
    deleteWebhookEndpoint: deleteWebhookEndpoint(dependencies),
    rotateWebhookSecret: rotateWebhookSecret(dependencies),
    enableWebhookEndpoint: enableWebhookEndpoint(dependencies),
    disableWebhookEndpoint: disableWebhookEndpoint(dependencies),
    replayWebhookEvents: replayWebhookEvents(dependencies),
    redeliverWebhookEvent: redeliverWebhookEvent(dependencies),
    sendTestWebhookEvent: sendTestWebhookEvent(dependencies),
    listWebhookAttempts: listWebhookAttempts(dependencies),
    listWebhookKeys: listWebhookKeys(dependencies),
  });
