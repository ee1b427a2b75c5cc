import type { CheckUserPartnerRequest } from '@florin/proto/identity/v1/user_service';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';

export const checkUserPartner = ({ users }: Dependencies) =>
  serviceMethod(async ({ userId, partnerId }: CheckUserPartnerRequest) => {
    if ((await users.find(userId))?.partnerId !== partnerId) throw new CodedError('USER_NOT_FOUND');
    return {};
  });
