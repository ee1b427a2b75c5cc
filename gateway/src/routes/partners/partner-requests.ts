import { EVENTS_SCOPES } from '@florin/proto/events/v1/scopes';
import { CodedError } from '@florin/rpc/errors';
import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { dateTime } from '../../schemas/fields.ts';

const LIMIT = 100;

const partnerRequest = z
  .object({
    requestId: z.string().meta({ description: '`X-Request-Id` of the request, by which the operator finds it in logs' }),
    at: dateTime,
    method: z.string().meta({ examples: ['POST'] }),
    path: z.string().meta({ description: 'Path of the operation, without ids', examples: ['/webhook-endpoints'] }),
    clientId: z.string().meta({ description: 'Name of the client that signed the token' }),
    status: z.int().meta({ examples: [422] }),
    error: z
      .string()
      .optional()
      .meta({ description: 'Code of the error, see `/errors`', examples: ['VALIDATION_FAILED'] }),
    durationMs: z.int().meta({ description: 'Milliseconds until the response was sent' }),
    members: z
      .array(
        z.object({
          name: z.string().meta({
            description: 'Path of the member; `[]` is the first item of an array, `?` a name that is no word',
            examples: ['jwk.kty'],
          }),
          type: z.enum(['string', 'number', 'boolean', 'null', 'object', 'array']),
        }),
      )
      .meta({ description: 'Names and types of the members of the body that was sent, without their values' }),
  })
  .meta({ id: 'PartnerRequest' });

export const listPartnerRequests = defineRoute({
  operationId: 'listPartnerRequests',
  method: 'get',
  path: '/partner/requests',
  tag: 'Partners',
  summary: 'List recent requests',
  description: `Returns the last ${LIMIT} requests with tokens of the partner's servers, newest first: what was asked, in which form, and the result. In a sandbox, where everybody who asks belongs to one partner, they are those of the same key. They are kept for a day. Requests without a valid token are not among them. Needs the scope \`webhooks.read\`.`,
  policy: 'partner',
  answers: { 200: z.object({ data: z.array(partnerRequest) }) },
  errors: [],
  handler: async (_input, { caller, partnerRequests }) => {
    const scope = EVENTS_SCOPES.readWebhooks;
    if (!caller.scopes.has(scope)) throw new CodedError('FORBIDDEN', { message: `scope ${scope} is missing`, metadata: { scope } });
    return { data: z.array(partnerRequest).parse(await partnerRequests.list(caller, LIMIT)) };
  },
});
