import type { SendTestWebhookEventRequest } from '@florin/proto/events/v1/webhook_endpoint_service';
import { serviceMethod } from '@florin/rpc/server';
import { ordering } from '../../domain/webhooks/change-endpoints.ts';
import { feedOf } from '../fields.ts';
import type { WebhookDependencies } from './dependencies.ts';

export const sendTestWebhookEvent = ({ change, runtime }: WebhookDependencies) =>
  serviceMethod(async (request: SendTestWebhookEventRequest, { caller }) => {
    const { requestId, endpointId, partnerId } = request;
    await change(feedOf(caller, partnerId), ordering(endpointId, { id: requestId, sequence: 0, at: runtime.now() }));
    return {};
  });
