import type { ReplayWebhookEventsRequest } from '@florin/proto/events/v1/webhook_endpoint_service';
import { serviceMethod } from '@florin/rpc/server';
import { endpointOf, replaying } from '../../domain/webhooks/change-endpoints.ts';
import { startOf } from '../../endpoints/start-of.ts';
import { feedOf } from '../fields.ts';
import type { WebhookDependencies } from './dependencies.ts';
import { toWireEndpoint } from './to-wire.ts';

/**
 */
export const replayWebhookEvents = (dependencies: WebhookDependencies) =>
  serviceMethod(async (request: ReplayWebhookEventsRequest, { caller }) => {
    const { requestId, endpointId, partnerId, after } = request;
    const feed = feedOf(caller, partnerId);
    endpointOf(await dependencies.endpoints.find(feed), endpointId);
    const replay = { id: requestId, cursor: after, after: await startOf(dependencies, feed, after) };
    const begun = (await dependencies.progress.find([endpointId])).get(endpointId)?.replayId;
    const changed = await dependencies.change(feed, replaying(endpointId, replay, begun));
    return { endpoint: await toWireEndpoint(dependencies, feed, endpointOf(changed.after, endpointId)) };
  });
