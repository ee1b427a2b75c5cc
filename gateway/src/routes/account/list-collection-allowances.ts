import { undefinedOn } from '@florin/rpc/client';
import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { amount, dateTime, decimals, toIso, token } from '../../schemas/fields.ts';

const allowance = z
  .object({
    token,
    decimals,
    perDay: amount.meta({ description: 'Most that is collected in a day (UTC), as the Safe allows it' }),
    left: amount.meta({ description: 'What is left of it today' }),
    resetsAt: dateTime.meta({ description: 'When all of it may be collected again' }),
    uncollected: amount.meta({ description: 'What cards have spent, and is still in the Safe' }),
    held: amount.meta({ description: 'What is set aside for card payments that are not cleared' }),
    spendable: amount.meta({ description: 'Most that cards may spend before something is collected, whatever the balance' }),
  })
  .meta({ id: 'CollectionAllowance' });

const allowances = z.object({ data: z.array(allowance) }).meta({ id: 'CollectionAllowances' });

export const listCollectionAllowances = defineRoute({
  operationId: 'listCollectionAllowances',
  method: 'get',
  path: '/user/account/allowance',
  tag: 'User Account',
  summary: 'List what may be collected',
  description:
    "Returns what the platform may still collect from the caller's Safe of what cards have spent, by token, and until when. Empty where nothing is collected. What is held and uncollected together stays within `perDay`: a payment beyond it is declined.",
  policy: 'user',
  answers: { 200: allowances },
  errors: ['ACCOUNT_NOT_FOUND'],
  handler: async (_input, { upstream, asCaller }) => {
    const found = upstream.safes && (await undefinedOn('SAFES_NOT_AVAILABLE', upstream.safes.listCollectionAllowances({}, asCaller)));
    if (found === undefined || found.allowances.length === 0) return { data: [] };
    const { currencies } = await upstream.balances.getBalances({}, asCaller);
    const tokens = currencies.flatMap((row) => row.tokens);
    return {
      data: found.allowances.flatMap(({ token: symbol, perDay, left, resetsAt, uncollected, held, spendable }) => {
        const known = tokens.find((one) => one.token === symbol);
        if (known === undefined || resetsAt === undefined) return [];
        return [{ token: symbol, decimals: known.decimals, perDay, left, resetsAt: toIso(resetsAt), uncollected, held, spendable }];
      }),
    };
  },
});
