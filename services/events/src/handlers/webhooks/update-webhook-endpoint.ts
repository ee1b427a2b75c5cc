import { EVENTS_SCOPES } from '@florin/proto/events/v1/scopes';
import type { UpdateWebhookEndpointRequest } from '@florin/proto/events/v1/webhook_endpoint_service';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { feedOf } from '../fields.ts';
import type { WebhookDependencies } from './dependencies.ts';
import { endpointFields, settingsFields, settingsOf } from './fields.ts';
import { toWireEndpoint } from './to-wire.ts';

const requestSchema = z.object({ ...endpointFields, ...settingsFields });

/** @throws CodedError WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_URL_FORBIDDEN, EVENT_TYPE_UNKNOWN, FORBIDDEN, VALIDATION_FAILED */
export const updateWebhookEndpoint = (dependencies: WebhookDependencies) =>
  serviceMethod(EVENTS_SCOPES.manageWebhooks, async (request: UpdateWebhookEndpointRequest, { caller }) => {
    const { endpointId, partnerId, ...settings } = parseRequest(requestSchema, request);
    const feed = feedOf(caller, partnerId);
    const endpoint = await dependencies.manage.update(feed, endpointId, settingsOf(dependencies, settings));
    return { endpoint: await toWireEndpoint(dependencies, feed, endpoint) };
  });
