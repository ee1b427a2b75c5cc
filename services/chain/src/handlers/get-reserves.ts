import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { GetCurrentReservesRequest, GetReservesRequest } from '@florin/proto/chain/v1/reserves_service';
import { CodedError } from '@florin/rpc/errors';
import { publicMethod, userMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { ownAccount } from './own-safe.ts';

/** A part of a proof of reserves. */
export const getReserves = ({ reserves }: Dependencies) =>
  publicMethod(async (request: GetReservesRequest) => {
    const { chainId, blockNumber, part } = request;
    const chain = chainId === 0 ? undefined : chainId;
    const newest = blockNumber === 0n || chain === undefined ? await reserves.newest(chain) : undefined;
    const file = blockNumber === 0n ? newest : await reserves.find(chain ?? newest?.chainId ?? 0, Number(blockNumber));
    const text = file === undefined ? undefined : await reserves.part(file, part);
    if (file === undefined || text === undefined) throw new CodedError('RESERVES_NOT_FOUND');
    const { createdAt, attempt: _attempt, ...rest } = file;
    return { ...rest, blockNumber: BigInt(rest.blockNumber), createdAt: timestampFromDate(createdAt), part, text };
  });

/** The line of a Safe in a part of a proof (`makeReserves`). */
type SafeLine = ['safe', accountId: string, safe: string, owners: string[], held: [token: string, amount: string][]];

/** The line of one of the caller's accounts in the newest proof of reserves. */
export const getCurrentReserves = ({ accounts, reserves }: Dependencies) =>
  userMethod(async ({ accountId }: GetCurrentReservesRequest, { caller: { userId } }) => {
    const current = await accounts.ofUser(userId);
    const account = await ownAccount({ accounts }, current, accountId === '' ? current.id : accountId);
    if (account === undefined) throw new CodedError('ACCOUNT_NOT_FOUND');
    const { id, chainId, safe } = account;
    const file = await reserves.newest(chainId);
    if (file === undefined) throw new CodedError('RESERVES_NOT_FOUND');
    const part = (await reserves.partOf(file, id)) ?? '';
    const line = part.split('\n').find((one) => one.startsWith(`["safe","${id}",`));
    const [, , , owners, held] = line === undefined ? (['safe', id, safe, [], []] satisfies SafeLine) : (JSON.parse(line) as SafeLine);
    return {
      chainId,
      blockNumber: BigInt(file.blockNumber),
      blockHash: file.blockHash,
      createdAt: timestampFromDate(file.createdAt),
      accountId: id,
      safeAddress: safe,
      owners,
      held: held.map(([token, amount]) => ({ token, amount })),
    };
  });
