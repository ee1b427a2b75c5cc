import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import type { CountUsersRequest } from '@florin/proto/identity/v1/user_service';
import { timeSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';

const LONGEST_MS = 31 * 86_400_000;

const isAscending = (bounds: readonly Date[]): boolean =>
  bounds.every((bound, index) => index === 0 || bound > (bounds[index - 1] ?? bound));

const isShort = (bounds: readonly Date[]): boolean => Number(bounds.at(-1) ?? 0) - Number(bounds[0] ?? 0) <= LONGEST_MS;

const requestSchema = z.object({
  since: z.array(timeSchema).max(4),
  bounds: z.array(timeSchema).max(32).refine(isAscending, 'must be in ascending order').refine(isShort, 'must be at most 31 days apart'),
});

/** @throws CodedError VALIDATION_FAILED */
export const countUsers = ({ users }: Dependencies) =>
  serviceMethod(IDENTITY_SCOPES.readUsers, async (request: CountUsersRequest) => {
    const { since, bounds } = parseRequest(requestSchema, request);
    const [total, ...counts] = await Promise.all([users.count(), ...since.map((at) => users.countBetween(at))]);
    const between: bigint[] = [];
    // One after another: an overview does not take the connections that sign-ins need.
    for (const [index, end] of bounds.slice(1).entries()) between.push(BigInt(await users.countBetween(bounds[index] ?? end, end)));
    return { total: BigInt(total), since: counts.map(BigInt), between };
  });
