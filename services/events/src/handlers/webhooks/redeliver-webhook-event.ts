import type { RedeliverWebhookEventRequest } from '@florin/proto/events/v1/webhook_endpoint_service';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { endpointOf, ordering } from '../../domain/webhooks/change-endpoints.ts';
import { feedOf } from '../fields.ts';
import type { WebhookDependencies } from './dependencies.ts';

/**
 */
export const redeliverWebhookEvent = (dependencies: WebhookDependencies) =>
  serviceMethod(async (request: RedeliverWebhookEventRequest, { caller }) => {
    const { requestId, endpointId, partnerId } = request;
    const sequence = Number(request.sequence);
    const feed = feedOf(caller, partnerId);
    endpointOf(await dependencies.endpoints.find(feed), endpointId);
    const { checkpoint } = await dependencies.read({ feed, after: sequence - 1, filter: undefined, limit: 1 });
    if (sequence > checkpoint.sequence) throw new CodedError('CURSOR_AHEAD', { message: 'sequence: is beyond the end of the feed' });
    await dependencies.change(feed, ordering(endpointId, { id: requestId, sequence, at: dependencies.runtime.now() }));
    return {};
  });
