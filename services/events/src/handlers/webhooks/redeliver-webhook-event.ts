import { EVENTS_SCOPES } from '@florin/proto/events/v1/scopes';
import type { RedeliverWebhookEventRequest } from '@florin/proto/events/v1/webhook_endpoint_service';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { endpointOf, ordering } from '../../domain/webhooks/change-endpoints.ts';
import { feedOf } from '../fields.ts';
import type { WebhookDependencies } from './dependencies.ts';
import { endpointFields } from './fields.ts';

const requestSchema = z.object({
  requestId: uuidSchema,
  ...endpointFields,
  sequence: z.bigint().min(1n).max(999_999_999_999_999n).transform(Number),
});

/**
 * @throws CodedError WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_ENDPOINT_DISABLED, WEBHOOK_ORDER_LIMIT_REACHED, CURSOR_AHEAD, EVENTS_ARCHIVED, IDEMPOTENCY_KEY_REUSED,
 * FORBIDDEN, VALIDATION_FAILED
 */
export const redeliverWebhookEvent = (dependencies: WebhookDependencies) =>
  serviceMethod(EVENTS_SCOPES.manageWebhooks, async (request: RedeliverWebhookEventRequest, { caller }) => {
    const { requestId, endpointId, partnerId, sequence } = parseRequest(requestSchema, request);
    const feed = feedOf(caller, partnerId);
    endpointOf(await dependencies.endpoints.find(feed), endpointId);
    const { checkpoint } = await dependencies.read({ feed, after: sequence - 1, filter: undefined, limit: 1 });
    if (sequence > checkpoint.sequence) throw new CodedError('CURSOR_AHEAD', { message: 'sequence: is beyond the end of the feed' });
    await dependencies.change(feed, ordering(endpointId, { id: requestId, sequence, at: dependencies.runtime.now() }));
    return {};
  });
