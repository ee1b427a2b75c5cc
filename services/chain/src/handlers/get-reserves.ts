import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { GetReservesRequest } from '@florin/proto/chain/v1/reserves_service';
import { CodedError } from '@florin/rpc/errors';
import { parseRequest, publicMethod } from '@florin/rpc/server';

import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';

const requestSchema = z.object({
  chainId: z.number().int(),
  blockNumber: z.bigint().max(2n ** 53n - 1n),
  part: z.number().int(),
});

/**
 * A part of a proof of reserves.
 * @throws CodedError RESERVES_NOT_FOUND, VALIDATION_FAILED
 */
export const getReserves = ({ reserves }: Dependencies) =>
  publicMethod(async (request: GetReservesRequest) => {
    const { chainId, blockNumber, part } = parseRequest(requestSchema, request);
    const chain = chainId === 0 ? undefined : chainId;
    const newest = blockNumber === 0n || chain === undefined ? await reserves.newest(chain) : undefined;
    const file = blockNumber === 0n ? newest : await reserves.find(chain ?? newest?.chainId ?? 0, Number(blockNumber));
    const text = file === undefined ? undefined : await reserves.part(file, part);
    if (file === undefined || text === undefined) throw new CodedError('RESERVES_NOT_FOUND');
    const { createdAt, ...rest } = file;
    return { ...rest, blockNumber: BigInt(rest.blockNumber), createdAt: timestampFromDate(createdAt), part, text };
  });
