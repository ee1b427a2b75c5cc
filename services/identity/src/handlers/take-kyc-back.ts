import type { TakeKycBackRequest } from '@florin/proto/identity/v1/kyc_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { KYC_STATUS } from './to-wire.ts';

export const takeKycBack = ({ takeBack }: Dependencies) =>
  serviceMethod(async (request: TakeKycBackRequest, call) => {
    const { requestId, userId } = request;
    return { status: KYC_STATUS[await takeBack({ requestId, userId }, call)] };
  });
