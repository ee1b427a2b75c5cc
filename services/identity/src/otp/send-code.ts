import { CodedError } from '@florin/rpc/errors';
import { resendTooSoon } from '../domain/rate-limited.ts';
import type { CodeSlot, Codes } from './codes.ts';
import type { SendLimits } from './send-limits.ts';

export type CodeToSend = {
  slot: CodeSlot;
  /** Key under which two spellings of a recipient are the same. */
  recipient: string;
  /** The requesting wallet or user. */
  owner: string;
  /** IP address of the request; may be empty. */
  ip: string;
  deliver: (code: string) => Promise<void>;
};

export type SendCode = (input: CodeToSend) => Promise<void>;

/**
 * Issues a code and delivers it. Only delivered codes count against limits: a rejected repeat leaves the earlier code valid, and a
 * failed delivery can be repeated immediately.
 */
export const createSendCode = (codes: Codes, limits: SendLimits): SendCode => {
  return async ({ slot, recipient, owner, ip, deliver }) => {
    const giveBack = await limits.take({ purpose: slot.purpose, recipient, owner, ip });
    const issued = await codes.issue(slot, recipient);
    if ('waitMs' in issued) {
      await giveBack();
      throw resendTooSoon(issued.waitMs);
    }
    try {
      await deliver(issued.code);
    } catch (cause) {
      await codes.withdraw(slot, issued.id);
      await giveBack();
      // A server that rejects a message may quote it, and the cause is logged.
      const quoted = new Error(String(cause).replaceAll(issued.code, '[code]'));
      throw new CodedError('SERVICE_UNAVAILABLE', { message: 'delivering the message failed', cause: quoted });
    }
  };
};
