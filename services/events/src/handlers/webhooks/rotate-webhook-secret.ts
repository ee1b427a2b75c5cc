import { EVENTS_SCOPES } from '@florin/proto/events/v1/scopes';
import type { RotateWebhookSecretRequest } from '@florin/proto/events/v1/webhook_endpoint_service';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { feedOf } from '../fields.ts';
import type { WebhookDependencies } from './dependencies.ts';
import { endpointFields, secretField } from './fields.ts';
import { toWireEndpoint } from './to-wire.ts';

const requestSchema = z.object({ requestId: uuidSchema, ...endpointFields, secret: secretField });

/** @throws CodedError WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_SECRET_INVALID, IDEMPOTENCY_KEY_REUSED, FORBIDDEN, VALIDATION_FAILED */
export const rotateWebhookSecret = (dependencies: WebhookDependencies) =>
  serviceMethod(EVENTS_SCOPES.manageWebhooks, async (request: RotateWebhookSecretRequest, { caller }) => {
    const { endpointId, partnerId, ...rotation } = parseRequest(requestSchema, request);
    const feed = feedOf(caller, partnerId);
    const { endpoint, secret } = await dependencies.manage.rotate(feed, endpointId, rotation);
    return { endpoint: await toWireEndpoint(dependencies, feed, endpoint), secret };
  });
