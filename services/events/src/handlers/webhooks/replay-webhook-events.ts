import { EVENTS_SCOPES } from '@florin/proto/events/v1/scopes';
import type { ReplayWebhookEventsRequest } from '@florin/proto/events/v1/webhook_endpoint_service';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { endpointOf, replaying } from '../../domain/webhooks/change-endpoints.ts';
import { startOf } from '../../endpoints/start-of.ts';
import { feedOf } from '../fields.ts';
import type { WebhookDependencies } from './dependencies.ts';
import { endpointFields } from './fields.ts';
import { toWireEndpoint } from './to-wire.ts';

const requestSchema = z.object({ requestId: uuidSchema, ...endpointFields, after: z.string().max(64) });

/**
 * @throws CodedError WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_ORDER_LIMIT_REACHED, CURSOR_INVALID, CURSOR_AHEAD, EVENTS_ARCHIVED, IDEMPOTENCY_KEY_REUSED, FORBIDDEN,
 * VALIDATION_FAILED
 */
export const replayWebhookEvents = (dependencies: WebhookDependencies) =>
  serviceMethod(EVENTS_SCOPES.manageWebhooks, async (request: ReplayWebhookEventsRequest, { caller }) => {
    const { requestId, endpointId, partnerId, after } = parseRequest(requestSchema, request);
    const feed = feedOf(caller, partnerId);
    endpointOf(await dependencies.endpoints.find(feed), endpointId);
    const replay = { id: requestId, cursor: after, after: await startOf(dependencies, feed, after) };
    const begun = (await dependencies.progress.find([endpointId])).get(endpointId)?.replayId;
    const changed = await dependencies.change(feed, replaying(endpointId, replay, begun));
    return { endpoint: await toWireEndpoint(dependencies, feed, endpointOf(changed.after, endpointId)) };
  });
