import { parseRequest, userMethod } from '@florin/kit/rpc';
import type { SendPhoneCodeRequest } from '@florin/proto/identity/v1/verification_service';
import { z } from 'zod';
import { phoneCodeText } from '../domain/code-texts.ts';
import { phoneSchema } from '../domain/phone.ts';
import type { SendCode } from '../otp/send-code.ts';
import type { Texter } from '../ports/texter.ts';

const requestSchema = z.object({ phone: phoneSchema });

export type SendPhoneCodeParts = { sendCode: SendCode; texter: Texter; partnerNameOf: (partnerId: string) => string };

/** @throws CodedError RATE_LIMITED, VALIDATION_FAILED, SERVICE_UNAVAILABLE */
export const sendPhoneCode = ({ sendCode, texter, partnerNameOf }: SendPhoneCodeParts) =>
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
