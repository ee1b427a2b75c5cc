import type { SetCardLimitsRequest } from '@florin/proto/card/v1/payment_service';
import { requireRecentSignIn } from '@florin/rpc/auth';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, userMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { seriesOf } from '../domain/card.ts';
import { LIMIT_NAMES, type Limits, raises } from '../domain/limits.ts';
import type { Dependencies } from './dependencies.ts';
import { findOwnCard } from './own-card.ts';
import { readLimits } from './to-wire-spending.ts';

/** A limit of zero permits nothing; an empty text sets no limit. */
const limit = z.preprocess(
  (text) => (text === '' ? undefined : text),
  z
    .string()
    .regex(/^(?:0|[1-9][0-9]{0,14})$/, 'must be an integer string in the minor unit, below 10^15')
    .transform(BigInt)
    .optional(),
);

const requestSchema = z.object({
  cardId: uuidSchema,
  limits: z.object({ perTransaction: limit, daily: limit, weekly: limit, monthly: limit, atm: limit }, 'is required'),
});

/**
 * Replaces the cardholder's limits of a card. Raising one requires a recent sign-in and is told to the user.
 * @throws CodedError CARD_NOT_FOUND, REAUTHENTICATION_REQUIRED, LIMIT_ABOVE_PROGRAM, VALIDATION_FAILED
 */
export const setCardLimits = (dependencies: Dependencies) => {
  const { cards, book, notices, program, runtime } = dependencies;
  return userMethod(async (request: SetCardLimitsRequest, call) => {
    const { caller } = call;
    const { cardId, limits: given } = parseRequest(requestSchema, request);
    const card = await findOwnCard(cards, cardId, caller);
    for (const name of LIMIT_NAMES) {
      const [wanted, most] = [given[name], program.limits[name]];
      if (wanted !== undefined && most !== undefined && wanted > most) throw new CodedError('LIMIT_ABOVE_PROGRAM');
    }
    const limits = Object.fromEntries(Object.entries(given).filter(([, amount]) => amount !== undefined)) as Limits;
    const set = (mayRaise: boolean): Promise<boolean> =>
      book.change(seriesOf(card), (current) =>
        mayRaise || !raises(current.limits, limits)
          ? { spending: { ...current, limits }, result: true }
          : { spending: current, result: false },
      );
    if (!(await set(false))) {
      requireRecentSignIn(caller, runtime.now());
      await notices.tell({ id: runtime.newId(), kind: 'LIMITS_RAISING', last4: card.last4 }, call);
      await set(true);
    }
    return { limits: await readLimits(dependencies, card) };
  });
};
