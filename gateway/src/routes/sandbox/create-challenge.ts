import { CodedError } from '@florin/rpc/errors';
import { amountSchema } from '@florin/rpc/money';
import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { merchant } from '../../schemas/challenge.ts';
import { id, present } from '../../schemas/fields.ts';

/** Digits of a currency's minor unit (ISO 4217): EUR 2, JPY 0. What the runtime does not know counts as 2. */
const minorUnitDigits = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;

export const createChallenge = defineRoute({
  operationId: 'sandboxCreateChallenge',
  method: 'post',
  path: '/sandbox/3ds/challenges',
  tag: 'Sandbox',
  summary: "A challenge for a payment with the caller's card, as the access control server raises it",
  policy: 'user',
  sandboxOnly: true,
  body: z.object({
    cardId: id,
    amount: amountSchema.meta({ description: "Integer in the currency's minor unit", examples: ['1999'] }),
    currency: z.string().regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code'),
    decimals: z.int().min(0).max(4).optional().meta({ description: "Default: those of the currency's minor unit" }),
    merchant,
    expiresInSeconds: z.int().min(1).max(900).default(300),
  }),
  answers: { 200: z.object({ challengeId: id }) },
  errors: ['CARD_NOT_FOUND', 'CARD_NOT_ACTIVE', 'ACCOUNT_NOT_ACTIVE'],
  handler: async ({ body }, { upstream, asCaller, asGateway, requestKey }) => {
    const { cardId, amount, currency, merchant: shop, expiresInSeconds } = body;
    // The service takes any card from an access control server; a person of the sandbox may only play with their own.
    const { cards } = await upstream.cards.listCards({ page: { limit: 100 } }, asCaller);
    if (!cards.some((card) => card.id === cardId)) throw new CodedError('CARD_NOT_FOUND');
    const { challenge } = await upstream.challenges.createChallenge(
      {
        reference: `sandbox-${requestKey}`,
        cardId,
        amount,
        currency,
        decimals: body.decimals ?? minorUnitDigits(currency),
        merchant: {
          id: shop.id ?? '',
          displayName: shop.displayName ?? '',
          country: shop.country ?? '',
          categoryCode: shop.categoryCode ?? '',
        },
        expiresInSeconds,
      },
      asGateway,
    );
    return { challengeId: present(challenge, 'the challenge').id };
  },
});
