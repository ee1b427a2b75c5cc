import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { CreateKycSessionRequest } from '@florin/proto/identity/v1/kyc_service';
import { CodedError } from '@florin/rpc/errors';
import { userMethod } from '@florin/rpc/server';
import { awaitsPerson } from '../domain/kyc.ts';
import type { Dependencies } from './dependencies.ts';
import { requireUser } from './require-user.ts';

export const createKycSession = ({ users, kycSessions }: Dependencies) =>
  userMethod(async (_request: CreateKycSessionRequest, { caller }) => {
    const user = requireUser(await users.find(caller.userId));
    if (!awaitsPerson(user.kycStatus)) throw new CodedError('KYC_STATE_CONFLICT');
    const { url, expiresAt } = await kycSessions.open(user);
    return { url, expiresAt: timestampFromDate(expiresAt) };
  });
