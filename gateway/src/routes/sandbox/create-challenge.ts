import { CodedError } from '@florin/rpc/errors';
import { amountSchema } from '@florin/rpc/money';
import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { merchant } from '../../schemas/challenge.ts';
import { id, present } from '../../schemas/fields.ts';

/** Digits of a currency's minor unit (ISO 4217): EUR 2, JPY 0. A currency unknown to the runtime counts as 2. */
const minorUnitDigits = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;

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
    currency: z.string().regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code'),
    decimals: z.int().min(0).max(4).optional().meta({ description: "Defaults to the decimals of the currency's minor unit" }),
    merchant,
    expiresInSeconds: z.int().min(1).max(900).default(300).meta({ description: 'Time until the challenge expires, in seconds' }),
  }),
  answers: { 200: z.object({ challengeId: id }) },
  errors: ['CARD_NOT_FOUND', 'CARD_NOT_ACTIVE', 'ACCOUNT_NOT_ACTIVE'],
  handler: async ({ body }, { upstream, asCaller, asGateway, requestKey }) => {
    const { cardId, amount, currency, merchant: shop, expiresInSeconds } = body;
    // The service accepts any card from an access control server; a sandbox caller may use only their own.
    const { cards } = await upstream.cards.listCards({ page: { limit: 100 } }, asCaller);
    if (!cards.some((card) => card.id === cardId)) throw new CodedError('CARD_NOT_FOUND');
    const payment = {
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
    };
    const { challenge } = await asGateway((options) => upstream.challenges.createChallenge(payment, options));
    return { challengeId: present(challenge, 'challenge').id };
  },
});
