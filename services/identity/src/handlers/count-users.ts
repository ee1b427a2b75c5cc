import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import type { CountUsersRequest } from '@florin/proto/identity/v1/user_service';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';

const time = z
  .custom<Timestamp>()
  .transform((timestamp) => timestampDate(timestamp))
  .refine((date) => !Number.isNaN(date.getTime()), 'must be a time');

const requestSchema = z.object({ since: z.array(time).max(4) });

/** @throws CodedError VALIDATION_FAILED */
export const countUsers = ({ users }: Dependencies) =>
  serviceMethod(IDENTITY_SCOPES.readUsers, async (request: CountUsersRequest) => {
    const { since } = parseRequest(requestSchema, request);
    const [total, ...counts] = await Promise.all([users.count(), ...since.map((at) => users.countSince(at))]);
    return { total: BigInt(total), since: counts.map(BigInt) };
  });
