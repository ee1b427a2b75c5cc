import { type CheckCardRequest, CheckResult } from '@florin/proto/vault/v1/card_number_service';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { compareExpiry, type VaultCard } from '../domain/card.ts';
import { PAN_SHAPE } from '../domain/pan.ts';
import { PIN_SHAPE } from '../domain/pin.ts';
import { cardDetails } from '../reveals/card-secrets.ts';
import { openMessage } from '../reveals/open-message.ts';
import type { PinVerdict } from '../store/pins.ts';
import type { Dependencies } from './dependencies.ts';

const messageSchema = z
  .object({
    pan: z.string().regex(PAN_SHAPE).optional(),
    expMonth: z.int().min(1).max(12).optional(),
    expYear: z.int().min(2000).max(2099).optional(),
    cvv2: z
      .string()
      .regex(/^\d{3}$/)
      .optional(),
    pin: z.string().regex(PIN_SHAPE).optional(),
  })
  .refine(({ expMonth, expYear }) => (expMonth === undefined) === (expYear === undefined))
  .refine((message) => Object.values(message).some((value) => value !== undefined));

const matches = (sent: string | undefined, own: string): CheckResult =>
  sent === undefined ? CheckResult.UNSPECIFIED : sent === own ? CheckResult.MATCH : CheckResult.NO_MATCH;

const PIN_RESULT: Readonly<Record<PinVerdict['result'], CheckResult>> = {
  match: CheckResult.MATCH,
  no_match: CheckResult.NO_MATCH,
  blocked: CheckResult.BLOCKED,
  not_set: CheckResult.NOT_SET,
};

const CODE_RESULT = { match: CheckResult.MATCH, no_match: CheckResult.NO_MATCH, blocked: CheckResult.BLOCKED } as const;

/** Compares what was entered at a terminal or with a merchant with the card's data. */
export const checkCard = (dependencies: Dependencies) => {
  const { cards, pins, securityCodeTries, keys, runtime } = dependencies;

  const checkSecurityCode = async (card: VaultCard, checkId: string, sent: string | undefined): Promise<CheckResult> => {
    if (sent === undefined) return CheckResult.UNSPECIFIED;
    // Only the security code needs the number itself.
    const { cvv2 } = await cardDetails(dependencies, card);
    return CODE_RESULT[await securityCodeTries.count(card.id, checkId, sent === cvv2, runtime.now())];
  };

  return serviceMethod(async ({ cardId, checkId, jwe }: CheckCardRequest) => {
    const card = await cards.find(cardId);
    if (card === undefined) throw new CodedError('CARD_NOT_FOUND');
    const sent = openMessage(messageSchema, await keys.exchange.open(jwe));
    const sentExpiry =
      sent.expMonth === undefined || sent.expYear === undefined ? undefined : { expMonth: sent.expMonth, expYear: sent.expYear };
    const pin = sent.pin === undefined ? undefined : await pins.check(cardId, checkId, keys.hashPin(cardId, sent.pin));
    return {
      // Numbers are compared by their keyed hashes, in constant time with regard to the number.
      pan: matches(sent.pan === undefined ? undefined : keys.hashPan(sent.pan), card.panHash),
      expiry:
        sentExpiry === undefined
          ? CheckResult.UNSPECIFIED
          : compareExpiry(sentExpiry, card) === 0
            ? CheckResult.MATCH
            : CheckResult.NO_MATCH,
      cvv2: await checkSecurityCode(card, checkId, sent.cvv2),
      pin: pin === undefined ? CheckResult.UNSPECIFIED : PIN_RESULT[pin.result],
      pinTriesLeft: pin?.triesLeft ?? 0,
    };
  });
};
