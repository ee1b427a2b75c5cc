import { type WebhookAttempt, type WebhookEndpoint, WebhookEndpointStatus } from '@florin/proto/events/v1/webhook_endpoint';
import { withinRequest } from '@florin/rpc/client';
import { z } from 'zod';
import { delivering } from '../clients/services.ts';
import { redeliverBody, replayBody, type webhookAttempts, type webhookEndpoints } from '../contract/index.ts';
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

const toEndpoint = ({ id, partnerId, url, status, delivery }: WebhookEndpoint): z.output<typeof webhookEndpoints>['endpoints'][number] => ({
  id,
  partnerId,
  // The rest may be a secret of the partner.
  url: new URL(url).origin,
  status: wordOf(WebhookEndpointStatus, status),
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

/** Deliveries of events to partners. Their answers, which may contain anything, are not shown. */
export const webhookEndpointsOf = (parts: Dependencies): Endpoint[] => {
  const { services } = parts;
  const reading = { access: 'webhooks.replay', reason: 'deliveries of events' } as const;
  const base = '/api/webhooks/{partnerId}/endpoints';

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
        const { partnerId = '', endpointId = '' } = params;
        const asked = { partnerId, endpointId, sequence, cursor, limit: LIMIT };
        const found = await delivering(services).listWebhookAttempts(asked, withinRequest(call));
        return { attempts: found.attempts.map(toAttempt), ...nextOf(found.nextCursor) };
      },
    ),
    action(
      parts,
      { path: `${base}/{endpointId}/redeliver`, access: 'webhooks.replay', operation: 'webhooks.redeliver', body: redeliverBody },
      async (call) => {
        const { partnerId = '', endpointId = '' } = call.params;
        const order = { requestId: call.actionId, partnerId, endpointId, sequence: BigInt(call.body.sequence) };
        await delivering(services).redeliverWebhookEvent(order, withinRequest(call));
        return 'ordered';
      },
    ),
    action(
      parts,
      { path: `${base}/{endpointId}/replay`, access: 'webhooks.replay', operation: 'webhooks.replay', body: replayBody },
      async (call) => {
        const { partnerId = '', endpointId = '' } = call.params;
        await delivering(services).replayWebhookEvents(
          { requestId: call.actionId, partnerId, endpointId, after: call.body.after },
          withinRequest(call),
        );
        return 'ordered';
      },
    ),
  ];
};
