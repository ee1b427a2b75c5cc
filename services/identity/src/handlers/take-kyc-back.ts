import type { TakeKycBackRequest } from '@florin/proto/identity/v1/kyc_service';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { KYC_STATUS } from './to-wire.ts';

const requestSchema = z.object({ requestId: uuidSchema, userId: uuidSchema });

/** @throws CodedError USER_NOT_FOUND, KYC_STATE_CONFLICT, SERVICE_UNAVAILABLE, VALIDATION_FAILED */
export const takeKycBack = ({ takeBack }: Dependencies) =>
  serviceMethod(IDENTITY_SCOPES.takeKycBack, async (request: TakeKycBackRequest, call) => {
    const order = parseRequest(requestSchema, request);
    return { status: KYC_STATUS[await takeBack(order, call)] };
  });
