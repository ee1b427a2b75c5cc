import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { GetKycRequest } from '@florin/proto/identity/v1/kyc_service';
import { userMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { requireUser } from './require-user.ts';
import { KYC_STATUS } from './to-wire.ts';

export const getKyc = ({ users }: Dependencies) =>
  userMethod(async (_request: GetKycRequest, { caller }) => {
    const { kycStatus, kycProfileId, kycChangedAt } = requireUser(await users.find(caller.userId));
    return {
      status: KYC_STATUS[kycStatus],
      profileId: kycProfileId,
      ...(kycChangedAt === undefined ? {} : { changedAt: timestampFromDate(kycChangedAt) }),
    };
  });
