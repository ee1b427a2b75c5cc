import { type WebhookAttempt, type WebhookEndpoint, WebhookEndpointStatus } from '@florin/proto/events/v1/webhook_endpoint';
import { withinRequest } from '@florin/rpc/client';
import { CodedError } from '@florin/rpc/errors';
import { z } from 'zod';
import { delivering } from '../clients/services.ts';
import {
  reasonBody,
  redeliverBody,
  replayBody,
  type webhookAttempts,
  webhookEndpointBody,
  type webhookEndpoints,
} from '../contract/index.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { isoOf, isoUnlessAbsent, nextOf, wordOf } from '../views/words.ts';
import { action } from './act.ts';
import type { Dependencies } from './dependencies.ts';
import { programRead } from './read-program.ts';

const LIMIT = 50;

const query = z.strictObject({
  sequence: z
    .string()
    .regex(/^[1-9]\d{0,17}$/)
    .transform(BigInt)
    .default(0n),
  cursor: z.string().max(500).default(''),
});

const toEndpoint = ({
  id,
  partnerId,
  url,
  types,
  status,
  delivery,
}: WebhookEndpoint): z.output<typeof webhookEndpoints>['endpoints'][number] => ({
  id,
  partnerId,
  // The rest may be a secret of the partner.
  url: new URL(url).origin,
  status: wordOf(WebhookEndpointStatus, status),
  types,
  parkedSubjects: delivery?.parkedSubjects ?? 0,
  ...isoUnlessAbsent('failingSince', delivery?.failingSince),
  ...isoUnlessAbsent('lastSuccessAt', delivery?.lastSuccessAt),
});

const toAttempt = (attempt: WebhookAttempt): z.output<typeof webhookAttempts>['attempts'][number] => ({
  id: attempt.id,
  eventId: attempt.eventId,
  eventType: attempt.eventType,
  sequence: attempt.sequence.toString(),
  number: attempt.number,
  at: isoOf(attempt.at),
  durationMs: attempt.durationMs,
  httpStatus: attempt.status,
  failure: attempt.failure,
});

/** The endpoint that a path names. */
const named = ({ partnerId = '', endpointId = '' }: Readonly<Record<string, string>>) => ({ partnerId, endpointId });

/** Endpoints of partners, and the deliveries of events to them. Their answers, which may contain anything, are not shown. */
export const webhookEndpointsOf = (parts: Dependencies): Endpoint[] => {
  const { services } = parts;
  const reading = { access: 'partners.read', reason: 'deliveries of events' } as const;
  const base = '/api/partners/{partnerId}/endpoints';

  return [
    programRead(parts, { ...reading, path: base, operation: 'webhooks.list' }, async ({ params, ...call }) => {
      const { partnerId = '' } = params;
      const { endpoints } = await delivering(services).listWebhookEndpoints({ partnerId }, withinRequest(call));
      return { endpoints: endpoints.map(toEndpoint) };
    }),
    programRead(
      parts,
      { ...reading, path: `${base}/{endpointId}/attempts`, operation: 'webhooks.attempts', query },
      async ({ params, query: { sequence, cursor }, ...call }) => {
        const asked = { ...named(params), sequence, cursor, limit: LIMIT };
        const found = await delivering(services).listWebhookAttempts(asked, withinRequest(call));
        return { attempts: found.attempts.map(toAttempt), ...nextOf(found.nextCursor) };
      },
    ),
    action(
      parts,
      { path: base, access: 'partners.manage', operation: 'webhooks.create', body: webhookEndpointBody },
      async ({ actionId: requestId, params, body: { reason: _reason, ...wanted }, ...call }) => {
        const { partnerId = '' } = params;
        // The platform's own feed tells of the users of all partners.
        if (partnerId.startsWith('_')) throw new CodedError('FORBIDDEN', { message: 'partnerId: must be a partner' });
        const created = await delivering(services).createWebhookEndpoint({ ...wanted, requestId, partnerId }, withinRequest(call));
        return { status: 'enabled', secret: created.secret };
      },
    ),
    action(
      parts,
      { path: `${base}/{endpointId}/rotate-secret`, access: 'partners.manage', operation: 'webhooks.rotate-secret', body: reasonBody },
      async ({ actionId: requestId, params, ...call }) => {
        const { secret } = await delivering(services).rotateWebhookSecret({ requestId, ...named(params) }, withinRequest(call));
        return { status: 'rotated', secret };
      },
    ),
    action(
      parts,
      { path: `${base}/{endpointId}/disable`, access: 'partners.manage', operation: 'webhooks.disable', body: reasonBody },
      async ({ params, ...call }) => {
        await delivering(services).disableWebhookEndpoint(named(params), withinRequest(call));
        return 'disabled';
      },
    ),
    action(
      parts,
      { path: `${base}/{endpointId}/enable`, access: 'partners.manage', operation: 'webhooks.enable', body: reasonBody },
      async ({ params, ...call }) => {
        await delivering(services).enableWebhookEndpoint(named(params), withinRequest(call));
        return 'enabled';
      },
    ),
    action(
      parts,
      { path: `${base}/{endpointId}/delete`, access: 'partners.manage', operation: 'webhooks.delete', body: reasonBody },
      async ({ params, ...call }) => {
        await delivering(services).deleteWebhookEndpoint(named(params), withinRequest(call));
        return 'deleted';
      },
    ),
    action(
      parts,
      { path: `${base}/{endpointId}/test`, access: 'webhooks.replay', operation: 'webhooks.test', body: reasonBody },
      async ({ actionId: requestId, params, ...call }) => {
        await delivering(services).sendTestWebhookEvent({ requestId, ...named(params) }, withinRequest(call));
        return 'ordered';
      },
    ),
    action(
      parts,
      { path: `${base}/{endpointId}/redeliver`, access: 'webhooks.replay', operation: 'webhooks.redeliver', body: redeliverBody },
      async (call) => {
        const order = { requestId: call.actionId, ...named(call.params), sequence: BigInt(call.body.sequence) };
        await delivering(services).redeliverWebhookEvent(order, withinRequest(call));
        return 'ordered';
      },
    ),
    action(
      parts,
      { path: `${base}/{endpointId}/replay`, access: 'webhooks.replay', operation: 'webhooks.replay', body: replayBody },
      async (call) => {
        const order = { requestId: call.actionId, ...named(call.params), after: call.body.after };
        await delivering(services).replayWebhookEvents(order, withinRequest(call));
        return 'ordered';
      },
    ),
  ];
};
