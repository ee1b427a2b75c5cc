import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import type { GetUserPartnerRequest } from '@florin/proto/identity/v1/user_service';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';

const requestSchema = z.object({ userId: uuidSchema });

/** @throws CodedError USER_NOT_FOUND, VALIDATION_FAILED */
export const getUserPartner = ({ users, registrations }: Dependencies) =>
  serviceMethod(IDENTITY_SCOPES.readUsers, async (request: GetUserPartnerRequest) => {
    const { userId } = parseRequest(requestSchema, request);
    const partnerId = await users.partnerOf(userId);
    if (partnerId !== undefined) return { partnerId, registered: true };
    const registering = await registrations.partnerOf(userId);
    if (registering === undefined) throw new CodedError('USER_NOT_FOUND');
    return { partnerId: registering, registered: false };
  });
