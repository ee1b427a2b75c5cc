import { OutboxChannel } from '@florin/proto/identity/v1/sandbox_service';
import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { dateTime, toIso, toWord } from '../../schemas/fields.ts';
import { text } from '../../schemas/text.ts';

const CHANNEL = { [OutboxChannel.EMAIL]: 'email', [OutboxChannel.SMS]: 'sms' } as const;

const message = z
  .object({
    channel: z.enum(Object.values(CHANNEL)),
    to: z.string(),
    text: z.string(),
    code: z.string().optional(),
    sentAt: dateTime,
  })
  .meta({ id: 'OutboxMessage' });

export const listOutbox = defineRoute({
  operationId: 'sandboxListOutbox',
  method: 'get',
  path: '/sandbox/outbox',
  tag: 'Sandbox',
  summary: 'List sent messages',
  description: 'Returns the e-mails and text messages sent to an address or phone number, newest first.',
  policy: 'public',
  sandboxOnly: true,
  query: z.object({
    // A plus sign in a query string decodes to a space; before a digit it was meant as the plus sign of a phone number.
    to: text({ min: 3, max: 254 })
      .transform((text) => text.replace(/^ (?=\d)/, '+'))
      .meta({ description: 'E-mail address, or phone number in E.164 format' }),
  }),
  answers: { 200: z.object({ data: z.array(message) }) },
  errors: [],
  handler: async ({ query }, { upstream, asGateway }) => {
    const { messages } = await asGateway((options) => upstream.sandbox.listOutboxMessages({ to: query.to }, options));
    return {
      data: messages.map(({ channel, to, text, code, sentAt }) => ({
        channel: toWord(CHANNEL, channel),
        to,
        text,
        ...(code === '' ? {} : { code }),
        sentAt: toIso(sentAt),
      })),
    };
  },
});
