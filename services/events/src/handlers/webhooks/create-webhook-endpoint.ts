import type { CreateWebhookEndpointRequest } from '@florin/proto/events/v1/webhook_endpoint_service';
import { serviceMethod } from '@florin/rpc/server';
import { startOf } from '../../endpoints/start-of.ts';
import { feedOf } from '../fields.ts';
import type { WebhookDependencies } from './dependencies.ts';
import { settingsOf } from './fields.ts';
import { toWireEndpoint } from './to-wire.ts';

/**
 */
export const createWebhookEndpoint = (dependencies: WebhookDependencies) =>
  serviceMethod(async (request: CreateWebhookEndpointRequest, { caller }) => {
    const { requestId, partnerId, secret, after } = request;
    const feed = feedOf(caller, partnerId);
    const set = settingsOf(dependencies, request);
    const startAfter = await startOf(dependencies, feed, after === '' ? undefined : after);
    const created = await dependencies.manage.create(feed, { ...set, requestId, secret, after, startAfter });
    return { endpoint: await toWireEndpoint(dependencies, feed, created.endpoint), secret: created.secret };
  });
