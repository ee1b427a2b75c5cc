import type { GetUserPartnerRequest } from '@florin/proto/identity/v1/user_service';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';

export const getUserPartner = ({ users, registrations }: Dependencies) =>
  serviceMethod(async (request: GetUserPartnerRequest) => {
    const { userId } = request;
    const partnerId = await users.partnerOf(userId);
    if (partnerId !== undefined) return { partnerId, registered: true };
    const registering = await registrations.partnerOf(userId);
    if (registering === undefined) throw new CodedError('USER_NOT_FOUND');
    return { partnerId: registering, registered: false };
  });
