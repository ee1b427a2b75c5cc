import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { subjectOf } from '@florin/data/privacy';
import type { EraseUserRequest } from '@florin/proto/identity/v1/erasure_service';
import { userOrServiceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';

/**
 */
export const eraseUser = ({ erase, requireRecentSignIn }: Dependencies) =>
  userOrServiceMethod(async (request: EraseUserRequest, { caller, requestId }) => {
    const { userId } = request;
    const subject = subjectOf(userId, caller);
    if (caller.kind === 'wallet') await requireRecentSignIn(caller);
    const { erasedAt, releaseAt } = await erase({ userId: subject, includeBlocked: caller.kind === 'service', requestId });
    return {
      ...(erasedAt === undefined ? {} : { erasedAt: timestampFromDate(erasedAt) }),
      ...(releaseAt === undefined ? {} : { claimsReleasedAt: timestampFromDate(releaseAt) }),
    };
  });
