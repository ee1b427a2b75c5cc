import type { CreateSetUpChallengeRequest } from '@florin/proto/chain/v1/safe_service';
import { CodedError } from '@florin/rpc/errors';
import { userMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { onNodes, requireOwnSafe } from './own-safe.ts';
import { toWireTransaction } from './to-wire-safe.ts';

/** The transaction by which the caller's Safe becomes what an account needs. */
export const createSetUpChallenge = ({ keeper, accounts }: Dependencies) =>
  userMethod(async (_request: CreateSetUpChallengeRequest, { caller: { userId } }) => {
    const { account, stored, setUps, ...plan } = await requireOwnSafe({ keeper, accounts }, userId);
    if (account.closed || !account.approved || (stored !== undefined && stored.status !== 'deviating'))
      throw new CodedError('SET_UP_NOT_AVAILABLE');
    return { transaction: toWireTransaction(await onNodes(setUps.offer(plan, stored))) };
  });
