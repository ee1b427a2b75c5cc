import { CodedError } from '@florin/rpc/errors';
import type { CodeSlot, Codes } from './codes.ts';
import { rateLimited, type SendLimits } from './send-limits.ts';

export type CodeToSend = {
  slot: CodeSlot;
  /** What makes two recipients the same. */
  recipient: string;
  /** The wallet or user who asks. */
  owner: string;
  deliver: (code: string) => Promise<void>;
};

export type SendCode = (input: CodeToSend) => Promise<void>;

/**
 * Issues a code and delivers it. What was not sent is not counted: a refused repeat leaves the sent code valid, and a failed
 * delivery may be repeated at once.
 */
export const createSendCode = (codes: Codes, limits: SendLimits): SendCode => {
  return async ({ slot, recipient, owner, deliver }) => {
    const giveBack = await limits.take({ purpose: slot.purpose, recipient, owner });
    const issued = await codes.issue(slot, recipient);
    if ('waitMs' in issued) {
      await giveBack();
      throw rateLimited(issued.waitMs);
    }
    try {
      await deliver(issued.code);
    } catch (cause) {
      await codes.withdraw(slot, issued.id);
      await giveBack();
      // Whoever refuses a message may quote it, and the cause goes to the log.
      const quoted = new Error(String(cause).replaceAll(issued.code, '[code]'));
      throw new CodedError('SERVICE_UNAVAILABLE', { message: 'the message could not be handed over', cause: quoted });
    }
  };
};
