import { EVENTS_SCOPES } from '@florin/proto/events/v1/scopes';
import type { ListWebhookAttemptsRequest } from '@florin/proto/events/v1/webhook_endpoint_service';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { endpointOf } from '../../domain/webhooks/change-endpoints.ts';
import { feedOf } from '../fields.ts';
import type { WebhookDependencies } from './dependencies.ts';
import { endpointFields } from './fields.ts';
import { toWireAttempt } from './to-wire.ts';

const DEFAULT_LIMIT = 50;

const requestSchema = z.object({
  ...endpointFields,
  sequence: z.bigint().min(0n).max(999_999_999_999_999n).transform(Number),
  limit: z.int().min(0).max(100),
  cursor: z.union([z.literal(''), uuidSchema]),
});

/** @throws CodedError WEBHOOK_ENDPOINT_NOT_FOUND, FORBIDDEN, VALIDATION_FAILED */
export const listWebhookAttempts = ({ endpoints, attempts }: WebhookDependencies) =>
  serviceMethod(EVENTS_SCOPES.readWebhooks, async (request: ListWebhookAttemptsRequest, { caller }) => {
    const { endpointId, partnerId, sequence, limit: asked, cursor } = parseRequest(requestSchema, request);
    endpointOf(await endpoints.find(feedOf(caller, partnerId)), endpointId);
    const limit = asked === 0 ? DEFAULT_LIMIT : asked;
    const found = await attempts.list(endpointId, { before: cursor, sequence, limit: limit + 1 });
    const page = found.slice(0, limit);
    return { attempts: page.map(toWireAttempt), nextCursor: found.length > limit ? (page.at(-1)?.id ?? '') : '' };
  });
