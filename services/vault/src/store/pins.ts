import { CodedError } from '@florin/rpc/errors';
import type { Model } from 'mongoose';
import type { Pin, PinCheck } from '../domain/card.ts';
import { MAX_PIN_TRIES } from '../domain/pin.ts';
import type { CardDocument } from './card-model.ts';

/** Checks per card whose repeats are recognized. */
const REMEMBERED_CHECKS = 10;

export type PinVerdict = { result: PinCheck['result'] | 'not_set'; triesLeft: number };

const verdictOf = (result: PinVerdict['result'], pin: Pin | undefined): PinVerdict => ({
  result,
  triesLeft: Math.max(0, MAX_PIN_TRIES - (pin?.wrongTries ?? MAX_PIN_TRIES)),
});

/** The PINs in the cards' documents. */
export const createPinStore = (model: Model<CardDocument>) => {
  const pinOf = async (cardId: string): Promise<Pin | undefined> => (await model.findById(cardId, { pin: 1 }).lean())?.pin ?? undefined;

  /** Counts a try under the condition that the PIN is open to it. */
  const count = async (cardId: string, check: PinCheck, condition: object, wrongTries: object): Promise<PinVerdict | undefined> => {
    const after = await model
      .findOneAndUpdate(
        { _id: cardId, 'pin.wrongTries': { $lt: MAX_PIN_TRIES }, 'pin.checks.id': { $ne: check.id }, ...condition },
        { ...wrongTries, $push: { 'pin.checks': { $each: [check], $slice: -REMEMBERED_CHECKS } } },
        { returnDocument: 'after', projection: { pin: 1 } },
      )
      .lean();
    return after === null ? undefined : verdictOf(check.result, after.pin);
  };

  return {
    /**
     * Compares a PIN's hash and counts a wrong try, each in one write: of concurrent guesses no more than three are compared.
     * The repeat of a check returns its first result.
     * @throws CodedError IDEMPOTENCY_KEY_REUSED for a check under the id of one with another PIN
     */
    check: async (cardId: string, checkId: string, hash: string): Promise<PinVerdict> => {
      const right = await count(cardId, { id: checkId, hash, result: 'match' }, { 'pin.hash': hash }, { $set: { 'pin.wrongTries': 0 } });
      if (right !== undefined) return right;
      const wrong = await count(
        cardId,
        { id: checkId, hash, result: 'no_match' },
        { 'pin.hash': { $ne: hash } },
        { $inc: { 'pin.wrongTries': 1 } },
      );
      if (wrong !== undefined) return wrong;
      const pin = await pinOf(cardId);
      if (pin === undefined) return verdictOf('not_set', undefined);
      const earlier = pin.checks.find(({ id }) => id === checkId);
      if (earlier !== undefined && earlier.hash !== hash) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
      return verdictOf(earlier?.result ?? 'blocked', pin);
    },

    /** Resets the wrong tries. @returns false if the card has no PIN */
    unblock: async (cardId: string): Promise<boolean> => {
      const { matchedCount } = await model.updateOne({ _id: cardId, pin: { $exists: true } }, { $set: { 'pin.wrongTries': 0 } });
      return matchedCount === 1;
    },
  };
};

export type PinStore = ReturnType<typeof createPinStore>;
