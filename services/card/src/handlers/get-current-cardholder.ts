import type { GetCurrentCardholderRequest } from '@florin/proto/card/v1/card_service';
import { CodedError } from '@florin/rpc/errors';
import { userMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';

/** Returns the caller's cardholder record. */
export const getCurrentCardholder = ({ cardholders }: Dependencies) =>
  userMethod(async (_request: GetCurrentCardholderRequest, { caller }) => {
    const cardholder = await cardholders.find(caller.userId);
    if (cardholder === undefined) throw new CodedError('CARDHOLDER_NOT_FOUND');
    const { cardholderId, phone, phoneVerified } = cardholder;
    return { cardholderId, phone, phoneVerified };
  });
