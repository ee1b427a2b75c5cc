import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { subjectOf } from '@florin/data/privacy';
import type { EraseUserRequest } from '@florin/proto/identity/v1/erasure_service';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, userOrServiceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';

const requestSchema = z.object({ userId: z.union([z.literal(''), uuidSchema], 'must be a UUID') });

/**
 * @throws CodedError REAUTHENTICATION_REQUIRED, USER_HAS_BALANCE, USER_HAS_OPEN_HOLDS, USER_HAS_OPEN_CHALLENGES, USER_HAS_OPEN_DISPUTES,
 * USER_HAS_RECENT_PAYMENTS, USER_IS_BLOCKED,
 * USER_NOT_FOUND, FORBIDDEN, SERVICE_UNAVAILABLE, VALIDATION_FAILED
 */
export const eraseUser = ({ erase, requireRecentSignIn }: Dependencies) =>
  userOrServiceMethod(IDENTITY_SCOPES.eraseUsers, async (request: EraseUserRequest, { caller, requestId }) => {
    const { userId } = parseRequest(requestSchema, request);
    const subject = subjectOf(userId, caller);
    if (caller.kind === 'wallet') await requireRecentSignIn(caller);
    const { erasedAt, releaseAt } = await erase({ userId: subject, includeBlocked: caller.kind === 'service', requestId });
    return {
      ...(erasedAt === undefined ? {} : { erasedAt: timestampFromDate(erasedAt) }),
      ...(releaseAt === undefined ? {} : { claimsReleasedAt: timestampFromDate(releaseAt) }),
    };
  });
