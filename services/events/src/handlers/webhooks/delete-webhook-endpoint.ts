import type { DeleteWebhookEndpointRequest } from '@florin/proto/events/v1/webhook_endpoint_service';
import { serviceMethod } from '@florin/rpc/server';
import { feedOf } from '../fields.ts';
import type { WebhookDependencies } from './dependencies.ts';

export const deleteWebhookEndpoint = ({ manage }: WebhookDependencies) =>
  serviceMethod(async (request: DeleteWebhookEndpointRequest, { caller }) => {
    const { endpointId, partnerId } = request;
    await manage.remove(feedOf(caller, partnerId), endpointId);
    return {};
  });
