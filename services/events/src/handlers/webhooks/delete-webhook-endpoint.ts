import { EVENTS_SCOPES } from '@florin/proto/events/v1/scopes';
import type { DeleteWebhookEndpointRequest } from '@florin/proto/events/v1/webhook_endpoint_service';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { feedOf } from '../fields.ts';
import type { WebhookDependencies } from './dependencies.ts';
import { endpointFields } from './fields.ts';

const requestSchema = z.object(endpointFields);

/** @throws CodedError FORBIDDEN, VALIDATION_FAILED */
export const deleteWebhookEndpoint = ({ manage }: WebhookDependencies) =>
  serviceMethod(EVENTS_SCOPES.manageWebhooks, async (request: DeleteWebhookEndpointRequest, { caller }) => {
    const { endpointId, partnerId } = parseRequest(requestSchema, request);
    await manage.remove(feedOf(caller, partnerId), endpointId);
    return {};
  });
