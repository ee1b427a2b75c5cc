import type { ListWebhookAttemptsRequest } from '@florin/proto/events/v1/webhook_endpoint_service';
import { serviceMethod } from '@florin/rpc/server';
import { endpointOf } from '../../domain/webhooks/change-endpoints.ts';
import { feedOf } from '../fields.ts';
import type { WebhookDependencies } from './dependencies.ts';
import { toWireAttempt } from './to-wire.ts';

const DEFAULT_LIMIT = 50;

export const listWebhookAttempts = ({ endpoints, attempts }: WebhookDependencies) =>
  serviceMethod(async (request: ListWebhookAttemptsRequest, { caller }) => {
    const { endpointId, partnerId, cursor } = request;
    const sequence = Number(request.sequence);
    endpointOf(await endpoints.find(feedOf(caller, partnerId)), endpointId);
    const limit = request.limit || DEFAULT_LIMIT;
    const found = await attempts.list(endpointId, { before: cursor, sequence, limit: limit + 1 });
    const page = found.slice(0, limit);
    return { attempts: page.map(toWireAttempt), nextCursor: found.length > limit ? (page.at(-1)?.id ?? '') : '' };
  });
