import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { GetReservesRequest } from '@florin/proto/chain/v1/reserves_service';
import { CodedError } from '@florin/rpc/errors';
import { publicMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';

/** A part of a proof of reserves. */
export const getReserves = ({ reserves }: Dependencies) =>
  publicMethod(async (request: GetReservesRequest) => {
    const { chainId, blockNumber, part } = request;
    const chain = chainId === 0 ? undefined : chainId;
    const newest = blockNumber === 0n || chain === undefined ? await reserves.newest(chain) : undefined;
    const file = blockNumber === 0n ? newest : await reserves.find(chain ?? newest?.chainId ?? 0, Number(blockNumber));
    const text = file === undefined ? undefined : await reserves.part(file, part);
    if (file === undefined || text === undefined) throw new CodedError('RESERVES_NOT_FOUND');
    const { createdAt, ...rest } = file;
    return { ...rest, blockNumber: BigInt(rest.blockNumber), createdAt: timestampFromDate(createdAt), part, text };
  });
