import {
  WebhookDisabledReason,
  WebhookEndpointStatus,
  type WebhookAttempt as WireAttempt,
  type WebhookEndpoint as WireEndpoint,
} from '@florin/proto/events/v1/webhook_endpoint';
import { z } from 'zod';
import { someOf } from './at-least-one.ts';
import { dateTime, email, id, present, toIso } from './fields.ts';
import { text } from './text.ts';
import { wordsOf } from './words.ts';

const url = z
  .string()
  .min(1)
  .max(2000)
  .meta({
    description: 'https URL of a public host, without user information and fragment',
    examples: ['https://hooks.acme.com/florin'],
  });
const types = z
  .array(z.string().min(1).max(64))
  .max(100)
  .meta({
    description: 'Only events of these types, or of groups such as `card.*`; none: all',
    examples: [['card.*', 'payment.cleared']],
  });
const description = text({ min: 0, max: 200 }).meta({ description: 'Your note about it' });
const dataVersion = z.int().min(1).max(2).exactOptional().meta({
  description:
    'Version of the data of the events, as the parameter `version` of GET /events. Default: 2 for a new endpoint; a change without it leaves it.',
});
const CONTACT = 'Address that is told when the endpoint is disabled because it is gone or fails';

/** The settings of a new endpoint. The service checks the URL. */
export const newWebhookSettings = z.object({
  url,
  types: types.default([]),
  description: description.default(''),
  dataVersion,
  contactEmail: email.optional().meta({ description: CONTACT }),
});

/** The settings of an endpoint, to replace them. A setting that is left out of a request would otherwise fall back to its default: every type of events. */
export const webhookSettings = z.object({
  url,
  types,
  description,
  dataVersion,
  contactEmail: email.nullable().meta({ description: `${CONTACT}; null: none` }),
});

/** The settings of an endpoint that change. */
export const changedWebhookSettings = someOf(webhookSettings);

const SETTING_FIELDS = {
  url: 'url',
  types: 'types',
  description: 'description',
  dataVersion: 'data_version',
  contactEmail: 'contact_email',
} as const;

/** The given settings as the contract has them, with the names of their fields. */
export const toWireSettings = (given: z.output<typeof changedWebhookSettings>) => ({
  url: given.url ?? '',
  types: given.types ?? [],
  description: given.description ?? '',
  dataVersion: given.dataVersion ?? 0,
  contactEmail: given.contactEmail ?? '',
  changed: (Object.keys(SETTING_FIELDS) as (keyof typeof SETTING_FIELDS)[])
    .filter((name) => given[name] !== undefined)
    .map((name) => SETTING_FIELDS[name]),
});

export const webhookSecret = z
  .string()
  .max(200)
  .meta({ description: '`whsec_` and base64 of 24 to 64 bytes', examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] });

export const endpointParams = z.object({ endpointId: id });

const disabledReasons = wordsOf(WebhookDisabledReason);

export const webhookEndpoint = z
  .object({
    id,
    url,
    types: z.array(z.string()),
    description: z.string(),
    dataVersion: z.int().min(1),
    contactEmail: z.string().optional(),
    status: z.enum(['enabled', 'disabled']),
    disabledReason: disabledReasons.schema.optional().meta({
      description: '`requested` by you, `gone` after an answer 410, `failing` after five days without a success',
    }),
    createdAt: dateTime,
    previousSecretExpiresAt: dateTime.optional().meta({ description: 'When the secret before the current one stops signing' }),
    delivery: z
      .object({
        cursor: z.string().meta({ description: 'Place up to which every event was delivered, was given up, or waits in a parked subject' }),
        parkedSubjects: z.int().min(0).meta({ description: 'Subjects of which an event failed and waits for its next attempt' }),
        failingSince: dateTime.optional(),
        lastSuccessAt: dateTime.optional(),
      })
      .optional()
      .meta({ description: 'How far the deliveries are, as of a second ago' }),
  })
  .meta({ id: 'WebhookEndpoint' });

/** An endpoint with a secret that was set just now. */
export const createdEndpoint = webhookEndpoint.extend({ secret: webhookSecret }).meta({ id: 'WebhookEndpointWithSecret' });

export const webhookAttempt = z
  .object({
    id,
    eventId: id,
    eventType: z.string(),
    sequence: z.int().min(0).meta({ description: 'Place of the event; 0 for a test event' }),
    number: z.int().min(0).meta({ description: 'Number of the attempt, from 1; 0 for a redelivery, a test or a checkpoint' }),
    at: dateTime,
    durationMs: z.int().min(0),
    status: z.int().min(0).max(999).optional().meta({ description: 'Status of the answer; absent without one' }),
    failure: z
      .string()
      .optional()
      .meta({ description: 'Why there was no answer', examples: ['timeout'] }),
    answer: z.string().meta({ description: 'The first KiB of the answer' }),
  })
  .meta({ id: 'WebhookAttempt' });

export const toWebhookEndpoint = (wire: WireEndpoint | undefined): z.output<typeof webhookEndpoint> => {
  const endpoint = present(wire, 'the endpoint');
  const { contactEmail, disabledReason, delivery } = endpoint;
  return {
    id: endpoint.id,
    url: endpoint.url,
    types: endpoint.types,
    description: endpoint.description,
    dataVersion: endpoint.dataVersion,
    ...(contactEmail === '' ? {} : { contactEmail }),
    status: endpoint.status === WebhookEndpointStatus.DISABLED ? 'disabled' : 'enabled',
    ...(disabledReason === WebhookDisabledReason.UNSPECIFIED ? {} : { disabledReason: disabledReasons.toWord(disabledReason) }),
    createdAt: toIso(endpoint.createdAt),
    ...(endpoint.previousSecretExpiresAt === undefined ? {} : { previousSecretExpiresAt: toIso(endpoint.previousSecretExpiresAt) }),
    ...(delivery === undefined
      ? {}
      : {
          delivery: {
            cursor: delivery.cursor,
            parkedSubjects: delivery.parkedSubjects,
            ...(delivery.failingSince === undefined ? {} : { failingSince: toIso(delivery.failingSince) }),
            ...(delivery.lastSuccessAt === undefined ? {} : { lastSuccessAt: toIso(delivery.lastSuccessAt) }),
          },
        }),
  };
};

export const toWebhookAttempt = (attempt: WireAttempt): z.output<typeof webhookAttempt> => ({
  id: attempt.id,
  eventId: attempt.eventId,
  eventType: attempt.eventType,
  sequence: Number(attempt.sequence),
  number: attempt.number,
  at: toIso(attempt.at),
  durationMs: attempt.durationMs,
  ...(attempt.status === 0 ? {} : { status: attempt.status }),
  ...(attempt.failure === '' ? {} : { failure: attempt.failure }),
  answer: attempt.answer,
});
