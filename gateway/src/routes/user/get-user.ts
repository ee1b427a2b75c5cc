import { undefinedOn } from '@florin/rpc/client';
import { defineRoute } from '../../http/define-route.ts';
import { present } from '../../schemas/fields.ts';
import { toUser, user } from '../../schemas/user.ts';

export const getUser = defineRoute({
  operationId: 'getUser',
  method: 'get',
  path: '/user',
  tag: 'User',
  summary: 'Get the user',
  description: "Returns the caller's own record.",
  policy: 'user',
  answers: { 200: user },
  errors: ['USER_NOT_FOUND'],
  handler: async (_input, { upstream, asCaller }) => {
    // The phone number belongs to the cardholder. A missing cardholder means no phone; an unavailable card service is an error.
    const [record, cardholder] = await Promise.all([
      upstream.users.getCurrentUser({}, asCaller),
      undefinedOn('CARDHOLDER_NOT_FOUND', upstream.cards.getCurrentCardholder({}, asCaller)),
    ]);
    return toUser(present(record.user, 'user'), cardholder?.phone || undefined);
  },
});
