import { EVENTS_SCOPES } from '@florin/proto/events/v1/scopes';
import type { GetWebhookEndpointRequest } from '@florin/proto/events/v1/webhook_endpoint_service';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { endpointOf } from '../../domain/webhooks/change-endpoints.ts';
import { feedOf } from '../fields.ts';
import type { WebhookDependencies } from './dependencies.ts';
import { endpointFields } from './fields.ts';
import { toWireEndpoint } from './to-wire.ts';

const requestSchema = z.object(endpointFields);

/** @throws CodedError WEBHOOK_ENDPOINT_NOT_FOUND, FORBIDDEN, VALIDATION_FAILED */
export const getWebhookEndpoint = (dependencies: WebhookDependencies) =>
  serviceMethod(EVENTS_SCOPES.readWebhooks, async (request: GetWebhookEndpointRequest, { caller }) => {
    const { endpointId, partnerId } = parseRequest(requestSchema, request);
    const feed = feedOf(caller, partnerId);
    const endpoint = endpointOf(await dependencies.endpoints.find(feed), endpointId);
    return { endpoint: await toWireEndpoint(dependencies, feed, endpoint) };
  });
