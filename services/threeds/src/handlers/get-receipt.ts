import type { GetReceiptRequest } from '@florin/proto/threeds/v1/challenge_service';
import { CodedError } from '@florin/rpc/errors';
import { userOrServiceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { toWireReceipt } from './to-wire.ts';

/** Returns the evidence of a decision. */
export const getReceipt = ({ runtime, challenges }: Dependencies) =>
  userOrServiceMethod(async ({ challengeId }: GetReceiptRequest, { caller }) => {
    const challenge = await challenges.get(challengeId, runtime.now(), caller.kind === 'service' ? {} : { userId: caller.userId });
    const { decision, receipt } = challenge;
    if (decision === undefined || receipt === undefined) throw new CodedError('RECEIPT_NOT_FOUND');
    return { receipt: toWireReceipt(challenge, decision, receipt) };
  });
