import { safeTransactionHash } from '@florin/evm/safe';
import { canonicalSignature, recoverSigner } from '@florin/evm/signatures';
import type { SubmitSetUpRequest } from '@florin/proto/chain/v1/safe_service';
import { CodedError } from '@florin/rpc/errors';
import { userMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { onNodes, requireOwnSafe } from './own-safe.ts';
import { toWireSafe } from './to-wire-safe.ts';

/** Has the set-up carried out that the caller signed. While one is under way, and once the Safe is verified, it changes nothing. */
export const submitSetUp = ({ keeper, accounts }: Dependencies) =>
  userMethod(async (request: SubmitSetUpRequest, { caller: { userId } }) => {
    const { signature: text } = request;
    const { account, stored, setUps, ...plan } = await requireOwnSafe({ keeper, accounts }, userId);
    if (stored !== undefined && stored.status !== 'deviating') return { safe: toWireSafe(plan, stored) };
    // Gas is paid for nobody who was not approved.
    if (account.closed || !account.approved) throw new CodedError('SET_UP_NOT_AVAILABLE');

    const transaction = await onNodes(setUps.offer(plan, stored));
    const signature = canonicalSignature(text);
    if (signature === undefined || (await recoverSigner(safeTransactionHash(transaction), signature)) !== plan.parties.owner)
      throw new CodedError('INVALID_SIGNATURE');
    return { safe: toWireSafe(plan, await onNodes(setUps.request(plan, stored, signature))) };
  });
