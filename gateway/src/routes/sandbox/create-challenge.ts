import { CodedError } from '@florin/rpc/errors';
import { amountSchema, minorUnitDigits } from '@florin/rpc/money';
import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { merchantInput } from '../../schemas/challenge.ts';
import { currencyInput, id, present } from '../../schemas/fields.ts';

export const createChallenge = defineRoute({
  operationId: 'sandboxCreateChallenge',
  method: 'post',
  path: '/sandbox/3ds/challenges',
  tag: 'Sandbox',
  summary: 'Raise a 3DS challenge',
  description: "Raises a challenge for a payment with one of the caller's cards, as the issuer's access control server does.",
  policy: 'user',
  sandboxOnly: true,
  body: z.object({
    cardId: id,
    amount: amountSchema.meta({ description: "Integer in the currency's minor unit", examples: ['1999'] }),
    currency: currencyInput,
    merchant: merchantInput,
    expiresInSeconds: z.int().min(1).max(900).default(300).meta({ description: 'Time until the challenge expires, in seconds' }),
    confirmsLater: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether a decision stays `processing` until POST /sandbox/3ds/challenges/{challengeId}/confirm' }),
  }),
  answers: { 200: z.object({ challengeId: id }) },
  errors: ['CARD_NOT_FOUND', 'CARD_NOT_ACTIVE', 'ACCOUNT_NOT_ACTIVE'],
  handler: async ({ body }, { upstream, asCaller, asGateway, requestKey }) => {
    const { cardId, amount, currency, merchant: shop, expiresInSeconds, confirmsLater } = body;
    // The service accepts any card from an access control server; a sandbox caller may use only their own.
    const { cards } = await upstream.cards.listCards({ page: { limit: 100 } }, asCaller);
    if (!cards.some((card) => card.id === cardId)) throw new CodedError('CARD_NOT_FOUND');
    const payment = {
      reference: `sandbox-${requestKey}`,
      cardId,
      amount,
      currency,
      decimals: minorUnitDigits(currency) ?? 0,
      merchant: {
        id: shop.id ?? '',
        displayName: shop.displayName ?? '',
        country: shop.country ?? '',
        categoryCode: shop.categoryCode ?? '',
      },
      expiresInSeconds,
      confirmsLater,
    };
    const { challenge } = await asGateway((options) => upstream.challenges.createChallenge(payment, options));
    return { challengeId: present(challenge, 'challenge').id };
  },
});
