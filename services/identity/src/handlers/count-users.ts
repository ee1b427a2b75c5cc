import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { CountUsersRequest } from '@florin/proto/identity/v1/user_service';
import { requireFields } from '@florin/rpc/contract';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';

const LONGEST_MS = 31 * 86_400_000;

const isAscending = (bounds: readonly Date[]): boolean =>
  bounds.every((bound, index) => index === 0 || bound > (bounds[index - 1] ?? bound));

const isShort = (bounds: readonly Date[]): boolean => Number(bounds.at(-1) ?? 0) - Number(bounds[0] ?? 0) <= LONGEST_MS;

export const countUsers = ({ users }: Dependencies) =>
  serviceMethod(async (request: CountUsersRequest) => {
    const since = request.since.map(timestampDate);
    const bounds = request.bounds.map(timestampDate);
    requireFields({
      bounds: isAscending(bounds) ? (isShort(bounds) ? undefined : 'must be at most 31 days apart') : 'must be in ascending order',
    });
    const [total, ...counts] = await Promise.all([users.count(), ...since.map((at) => users.countBetween(at))]);
    const between: bigint[] = [];
    // One after another: an overview does not take the connections that sign-ins need.
    for (const [index, end] of bounds.slice(1).entries()) between.push(BigInt(await users.countBetween(bounds[index] ?? end, end)));
    return { total: BigInt(total), since: counts.map(BigInt), between };
  });
