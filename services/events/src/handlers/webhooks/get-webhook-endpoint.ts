import type { GetWebhookEndpointRequest } from '@florin/proto/events/v1/webhook_endpoint_service';
import { serviceMethod } from '@florin/rpc/server';
import { endpointOf } from '../../domain/webhooks/change-endpoints.ts';
import { feedOf } from '../fields.ts';
import type { WebhookDependencies } from './dependencies.ts';
import { toWireEndpoint } from './to-wire.ts';

export const getWebhookEndpoint = (dependencies: WebhookDependencies) =>
  serviceMethod(async (request: GetWebhookEndpointRequest, { caller }) => {
    const { endpointId, partnerId } = request;
    const feed = feedOf(caller, partnerId);
    const endpoint = endpointOf(await dependencies.endpoints.find(feed), endpointId);
    return { endpoint: await toWireEndpoint(dependencies, feed, endpoint) };
  });
