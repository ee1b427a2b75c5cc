import { EVENTS_SCOPES } from '@florin/proto/events/v1/scopes';
import type { SendTestWebhookEventRequest } from '@florin/proto/events/v1/webhook_endpoint_service';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { ordering } from '../../domain/webhooks/change-endpoints.ts';
import { feedOf } from '../fields.ts';
import type { WebhookDependencies } from './dependencies.ts';
import { endpointFields } from './fields.ts';

const requestSchema = z.object({ requestId: uuidSchema, ...endpointFields });

/** @throws CodedError WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_ENDPOINT_DISABLED, WEBHOOK_ORDER_LIMIT_REACHED, IDEMPOTENCY_KEY_REUSED, FORBIDDEN, VALIDATION_FAILED */
export const sendTestWebhookEvent = ({ change, runtime }: WebhookDependencies) =>
  serviceMethod(EVENTS_SCOPES.manageWebhooks, async (request: SendTestWebhookEventRequest, { caller }) => {
    const { requestId, endpointId, partnerId } = parseRequest(requestSchema, request);
    await change(feedOf(caller, partnerId), ordering(endpointId, { id: requestId, sequence: 0, at: runtime.now() }));
    return {};
  });
