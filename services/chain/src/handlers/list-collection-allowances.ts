import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { ListCollectionAllowancesRequest } from '@florin/proto/chain/v1/safe_service';
import { userMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { onNodes, requireOwnSafe } from './own-safe.ts';

/** Lists the amounts that may be collected from the caller's Safe. */
export const listCollectionAllowances = ({ keeper, accounts, entries }: Dependencies) =>
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
