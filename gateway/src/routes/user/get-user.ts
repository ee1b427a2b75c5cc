import { undefinedOn } from '@florin/rpc/client';
import { defineRoute } from '../../http/define-route.ts';
import { present } from '../../schemas/fields.ts';
import { toUser, user } from '../../schemas/user.ts';

export const getUser = defineRoute({
  operationId: 'getUser',
  method: 'get',
  path: '/user',
  tag: 'User',
  summary: "The caller's own record",
  policy: 'user',
  answers: { 200: user },
  errors: ['USER_NOT_FOUND'],
  handler: async (_input, { upstream, asCaller }) => {
    // The phone number is the cardholder's. No cardholder is no phone; a card service that is away is an error, not "no phone".
    const [record, cardholder] = await Promise.all([
      upstream.users.getCurrentUser({}, asCaller),
      undefinedOn('CARDHOLDER_NOT_FOUND', upstream.cards.getCurrentCardholder({}, asCaller)),
    ]);
    return toUser(present(record.user, 'the user'), cardholder?.phone || undefined);
  },
});
