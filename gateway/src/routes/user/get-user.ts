import { isCoded } from '@florin/kit/errors';
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
  errors: [],
  handler: async (_input, { upstream, asCaller }) => {
    // The phone number is the cardholder's. No cardholder is no phone; a card service that is away is an error, not "no phone".
    const phone = upstream.cards.getCurrentCardholder({}, asCaller).then(
      (cardholder) => cardholder.phone || undefined,
      (error: unknown) => {
        if (isCoded(error, 'CARDHOLDER_NOT_FOUND')) return undefined;
        throw error;
      },
    );
    const [record, number] = await Promise.all([upstream.users.getCurrentUser({}, asCaller), phone]);
    return toUser(present(record.user, 'the user'), number);
  },
});
