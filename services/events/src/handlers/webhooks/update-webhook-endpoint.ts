import type { UpdateWebhookEndpointRequest } from '@florin/proto/events/v1/webhook_endpoint_service';
import { serviceMethod } from '@florin/rpc/server';
import { feedOf } from '../fields.ts';
import type { WebhookDependencies } from './dependencies.ts';
import { settingsOf } from './fields.ts';
import { toWireEndpoint } from './to-wire.ts';

export const updateWebhookEndpoint = (dependencies: WebhookDependencies) =>
  serviceMethod(async (request: UpdateWebhookEndpointRequest, { caller }) => {
    const { endpointId, partnerId } = request;
    const feed = feedOf(caller, partnerId);
    const endpoint = await dependencies.manage.update(feed, endpointId, settingsOf(dependencies, request));
    return { endpoint: await toWireEndpoint(dependencies, feed, endpoint) };
  });
