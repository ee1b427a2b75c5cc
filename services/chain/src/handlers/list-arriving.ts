import type { ListArrivingRequest } from '@florin/proto/chain/v1/arriving_service';
import { userMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';

/** Transfers that arrive at the caller's Safe and are not booked yet. */
export const listArriving = ({ arriving, accounts }: Dependencies) =>
  userMethod(async (_request: ListArrivingRequest, { caller: { userId } }) => {
    const { id, chainId } = await accounts.ofUser(userId);
    const found = arriving.find((watch) => watch.chainId === chainId)?.of(id) ?? [];
    return {
      transfers: found.map(({ accountId: _accountId, amount, blockNumber, ...transfer }) => ({
        ...transfer,
        amount: amount.toString(),
        blockNumber: BigInt(blockNumber),
      })),
    };
  });
