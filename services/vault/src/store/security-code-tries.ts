import type { Model } from 'mongoose';
import { dayOf, type SecurityCodeCheck } from '../domain/card.ts';
import { MAX_WRONG_CODES_PER_DAY } from '../domain/security-code.ts';
import type { CardDocument } from './card-model.ts';
import { writeWithinDay } from './daily-count.ts';

/** Checks per card whose repeats are recognized. */
const REMEMBERED_CHECKS = 10;

/**
 * The tries of security codes in the cards' documents. No code is stored in any form (PCI DSS 3.3.1), so that the repeat of a check is
 * recognized by its id only.
 */
export const createSecurityCodeTries = (model: Model<CardDocument>) => {
  /** Records a try under the condition that the code is open to it. */
  const record = async (cardId: string, check: SecurityCodeCheck, condition: object, change: object): Promise<boolean> => {
    const { modifiedCount } = await model.updateOne(
      { _id: cardId, 'securityCodeTries.checks.id': { $ne: check.id }, ...condition },
      { ...change, $push: { 'securityCodeTries.checks': { $each: [check], $slice: -REMEMBERED_CHECKS } } },
    );
    return modifiedCount === 1;
  };

  return {
    /**
     * Records a try in one write before its result is told, right ones too: of concurrent guesses on one day no more than five are wrong
     * before the others are blocked. The repeat of a check returns its first result.
     */
    count: async (cardId: string, checkId: string, isRight: boolean, now: Date): Promise<SecurityCodeCheck['result'] | 'blocked'> => {
      const check: SecurityCodeCheck = { id: checkId, result: isRight ? 'match' : 'no_match' };
      const [day, wrong] = [dayOf(now), isRight ? 0 : 1];
      const first = { $set: { 'securityCodeTries.day': day, 'securityCodeTries.wrong': wrong } };
      const next = { $inc: { 'securityCodeTries.wrong': wrong } };
      const tally = { field: 'securityCodeTries', counter: 'wrong', day, limit: MAX_WRONG_CODES_PER_DAY };
      if (await writeWithinDay(tally, (open, begins) => record(cardId, check, open, begins ? first : next))) return check.result;
      const found = await model.findById(cardId, { securityCodeTries: 1 }).lean();
      return found?.securityCodeTries?.checks.find(({ id }) => id === checkId)?.result ?? 'blocked';
    },
  };
};

export type SecurityCodeTries = ReturnType<typeof createSecurityCodeTries>;
