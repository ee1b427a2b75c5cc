import type { SendPhoneCodeRequest } from '@florin/proto/identity/v1/verification_service';
import { phoneSchema } from '@florin/rpc/phone';
import { parseRequest, userMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { phoneCodeText } from '../domain/code-texts.ts';
import type { Dependencies } from './dependencies.ts';

const requestSchema = z.object({ phone: phoneSchema });

type Parts = Pick<Dependencies, 'sendCode' | 'texter' | 'partnerNameOf'>;

/** @throws CodedError RATE_LIMITED, VALIDATION_FAILED, SERVICE_UNAVAILABLE */
export const sendPhoneCode = ({ sendCode, texter, partnerNameOf }: Parts) =>
  userMethod(async (request: SendPhoneCodeRequest, { caller }) => {
    const { phone } = parseRequest(requestSchema, request);
    const { userId } = caller;
    await sendCode({
      slot: { purpose: 'phone', userId },
      recipient: phone,
      owner: userId,
      deliver: (code) => texter.send({ to: phone, code, text: phoneCodeText(code, partnerNameOf(caller.partnerId)) }),
    });
    return {};
  });
