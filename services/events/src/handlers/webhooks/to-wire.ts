import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { WebhookDisabledReason, WebhookEndpointStatus } from '@florin/proto/events/v1/webhook_endpoint';
import { createWords } from '@florin/rpc/contract';
import { cursorOf } from '../../domain/cursor.ts';
import { secretsAt } from '../../domain/webhooks/change-endpoints.ts';
import { type Endpoint, FIRST_VERSION } from '../../domain/webhooks/endpoint.ts';
import type { Attempt } from '../../store/webhook-attempts.ts';
import type { StoredProgress } from '../../store/webhook-progress.ts';
import type { WebhookDependencies } from './dependencies.ts';

export const REASONS = createWords(WebhookDisabledReason);

const toWireDelivery = (feed: string, { cursor, parked, failingSince, lastSuccessAt }: StoredProgress) => ({
  cursor: cursorOf(feed, cursor),
  parkedSubjects: parked.length,
  ...(failingSince === undefined ? {} : { failingSince: timestampFromDate(failingSince) }),
  ...(lastSuccessAt === undefined ? {} : { lastSuccessAt: timestampFromDate(lastSuccessAt) }),
});

/** Endpoints as a response has them, with their contacts and how far their deliveries are. */
export const toWireEndpoints = async (
  { manage, progress, runtime }: Pick<WebhookDependencies, 'manage' | 'progress' | 'runtime'>,
  feed: string,
  endpoints: readonly Endpoint[],
) => {
  const [contacts, deliveries] = await Promise.all([manage.contactsOf(endpoints), progress.find(endpoints.map(({ id }) => id))]);
  return endpoints.map((endpoint) => {
    const { id, url, types, description, disabled, createdAt, dataVersion = FIRST_VERSION } = endpoint;
    const endsAt = secretsAt(endpoint, runtime.now())[1]?.endsAt;
    const delivery = deliveries.get(id);
    return {
      id,
      partnerId: feed,
      url,
      types,
      description,
      dataVersion,
      contactEmail: contacts.get(id) ?? '',
      status: disabled === undefined ? WebhookEndpointStatus.ENABLED : WebhookEndpointStatus.DISABLED,
      disabledReason: REASONS.toValue(disabled?.reason),
      createdAt: timestampFromDate(createdAt),
      ...(endsAt === undefined ? {} : { previousSecretExpiresAt: timestampFromDate(endsAt) }),
      ...(delivery === undefined ? {} : { delivery: toWireDelivery(feed, delivery) }),
    };
  });
};

/** One endpoint as a response has it. */
export const toWireEndpoint = async (
  parts: Pick<WebhookDependencies, 'manage' | 'progress' | 'runtime'>,
  feed: string,
  endpoint: Endpoint,
) => {
  const [wire] = await toWireEndpoints(parts, feed, [endpoint]);
  if (wire === undefined) throw new Error('an endpoint has no form on the wire');
  return wire;
};

export const toWireAttempt = ({ id, eventId, eventType, sequence, number, at, durationMs, status, failure, answer }: Attempt) => ({
  id,
  eventId,
  eventType,
  sequence: BigInt(sequence),
  number,
  at: timestampFromDate(at),
  durationMs,
  status,
  failure,
  answer,
});
