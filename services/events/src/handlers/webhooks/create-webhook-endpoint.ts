import { EVENTS_SCOPES } from '@florin/proto/events/v1/scopes';
import type { CreateWebhookEndpointRequest } from '@florin/proto/events/v1/webhook_endpoint_service';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { startOf } from '../../endpoints/start-of.ts';
import { feedOf, partnerIdSchema } from '../fields.ts';
import type { WebhookDependencies } from './dependencies.ts';
import { secretField, settingsFields, settingsOf } from './fields.ts';
import { toWireEndpoint } from './to-wire.ts';

const requestSchema = z.object({
  requestId: uuidSchema,
  partnerId: partnerIdSchema,
  ...settingsFields,
  secret: secretField,
  after: z.string().max(64),
});

/**
 * @throws CodedError WEBHOOK_URL_FORBIDDEN, WEBHOOK_SECRET_INVALID, WEBHOOK_ENDPOINT_LIMIT_REACHED, EVENT_TYPE_UNKNOWN, CURSOR_INVALID, CURSOR_AHEAD,
 * EVENTS_ARCHIVED, IDEMPOTENCY_KEY_REUSED, FORBIDDEN, VALIDATION_FAILED
 */
export const createWebhookEndpoint = (dependencies: WebhookDependencies) =>
  serviceMethod(EVENTS_SCOPES.manageWebhooks, async (request: CreateWebhookEndpointRequest, { caller }) => {
    const { requestId, partnerId, secret, after, ...settings } = parseRequest(requestSchema, request);
    const feed = feedOf(caller, partnerId);
    const set = settingsOf(dependencies, settings);
    const startAfter = await startOf(dependencies, feed, after === '' ? undefined : after);
    const created = await dependencies.manage.create(feed, { ...set, requestId, secret, after, startAfter });
    return { endpoint: await toWireEndpoint(dependencies, feed, created.endpoint), secret: created.secret };
  });
