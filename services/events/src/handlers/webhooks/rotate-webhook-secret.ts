import type { RotateWebhookSecretRequest } from '@florin/proto/events/v1/webhook_endpoint_service';
import { serviceMethod } from '@florin/rpc/server';
import { feedOf } from '../fields.ts';
import type { WebhookDependencies } from './dependencies.ts';
import { toWireEndpoint } from './to-wire.ts';

export const rotateWebhookSecret = (dependencies: WebhookDependencies) =>
  serviceMethod(async (request: RotateWebhookSecretRequest, { caller }) => {
    const { endpointId, partnerId, requestId, secret: given } = request;
    const feed = feedOf(caller, partnerId);
    const { endpoint, secret } = await dependencies.manage.rotate(feed, endpointId, { requestId, secret: given });
    return { endpoint: await toWireEndpoint(dependencies, feed, endpoint), secret };
  });
