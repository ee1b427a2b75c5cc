import type { ListWebhookEndpointsRequest } from '@florin/proto/events/v1/webhook_endpoint_service';
import { serviceMethod } from '@florin/rpc/server';
import { feedOf } from '../fields.ts';
import type { WebhookDependencies } from './dependencies.ts';
import { toWireEndpoints } from './to-wire.ts';

export const listWebhookEndpoints = (dependencies: WebhookDependencies) =>
  serviceMethod(async (request: ListWebhookEndpointsRequest, { caller }) => {
    const feed = feedOf(caller, request.partnerId);
    const { endpoints } = await dependencies.endpoints.find(feed);
    return { endpoints: await toWireEndpoints(dependencies, feed, endpoints) };
  });
