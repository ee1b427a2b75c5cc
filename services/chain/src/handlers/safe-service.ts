import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { safeTransactionHash } from '@florin/evm/safe';
import { canonicalSignature, recoverSigner } from '@florin/evm/signatures';
import {
  type CreateSetUpChallengeRequest,
  type GetCurrentSafeRequest,
  type ListCollectionAllowancesRequest,
  SafeService,
  type SubmitSetUpRequest,
} from '@florin/proto/chain/v1/safe_service';
import { CodedError } from '@florin/rpc/errors';
import { implement, type ServiceImplementation, userMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { onNodes, requireOwnSafe } from './own-safe.ts';
import { toWireSafe, toWireTransaction } from './to-wire-safe.ts';

/** The Safe of the caller's account. */
const getCurrentSafe = ({ keeper, accounts }: Dependencies) =>
  userMethod(async (_request: GetCurrentSafeRequest, { caller: { userId } }) => {
    const { stored, ...plan } = await requireOwnSafe({ keeper, accounts }, userId);
    return { safe: toWireSafe(plan, stored) };
  });

/** The transaction by which the caller's Safe becomes what an account needs. */
const createSetUpChallenge = ({ keeper, accounts }: Dependencies) =>
  userMethod(async (_request: CreateSetUpChallengeRequest, { caller: { userId } }) => {
    const { account, stored, setUps, ...plan } = await requireOwnSafe({ keeper, accounts }, userId);
    if (account.closed || !account.approved || (stored !== undefined && stored.status !== 'deviating'))
      throw new CodedError('SET_UP_NOT_AVAILABLE');
    return { transaction: toWireTransaction(await onNodes(setUps.offer(plan, stored))) };
  });

/** Has the set-up carried out that the caller signed. While one is under way, and once the Safe is verified, it changes nothing. */
const submitSetUp = ({ keeper, accounts }: Dependencies) =>
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

/** Lists the amounts that may be collected from the caller's Safe. */
const listCollectionAllowances = ({ keeper, accounts, entries }: Dependencies) =>
  userMethod(async (_request: ListCollectionAllowancesRequest, { caller: { userId } }) => {
    const { account, stored } = await requireOwnSafe({ keeper, accounts }, userId);
    if (keeper === undefined || stored?.verifiedAt === undefined) return { allowances: [] };
    const found = await onNodes(keeper.allowancesOf(stored));
    const buckets = found.length === 0 ? undefined : await entries.buckets(account.id);
    return {
      allowances: found.map(({ token, perDay, left, resetsAt }) => {
        const { settling, held } = buckets?.get(token) ?? { settling: 0n, held: 0n };
        const spendable = perDay - settling - held;
        return {
          token,
          perDay: perDay.toString(),
          left: left.toString(),
          resetsAt: timestampFromDate(resetsAt),
          uncollected: settling.toString(),
          held: held.toString(),
          spendable: (spendable > 0n ? spendable : 0n).toString(),
        };
      }),
    };
  });

/** Implementation of the contract `SafeService`. */
export const safeService = (dependencies: Dependencies): ServiceImplementation =>
  implement(SafeService, {
    getCurrentSafe: getCurrentSafe(dependencies),
    createSetUpChallenge: createSetUpChallenge(dependencies),
    submitSetUp: submitSetUp(dependencies),
    listCollectionAllowances: listCollectionAllowances(dependencies),
  });
