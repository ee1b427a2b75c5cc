import { EVENTS_SCOPES } from '@florin/proto/events/v1/scopes';
import type { ListWebhookEndpointsRequest } from '@florin/proto/events/v1/webhook_endpoint_service';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { feedOf, partnerIdSchema } from '../fields.ts';
import type { WebhookDependencies } from './dependencies.ts';
import { toWireEndpoints } from './to-wire.ts';

const requestSchema = z.object({ partnerId: partnerIdSchema });

/** @throws CodedError FORBIDDEN, VALIDATION_FAILED */
export const listWebhookEndpoints = (dependencies: WebhookDependencies) =>
  serviceMethod(EVENTS_SCOPES.readWebhooks, async (request: ListWebhookEndpointsRequest, { caller }) => {
    const feed = feedOf(caller, parseRequest(requestSchema, request).partnerId);
    const { endpoints } = await dependencies.endpoints.find(feed);
    return { endpoints: await toWireEndpoints(dependencies, feed, endpoints) };
  });
