import type { SendPhoneCodeRequest } from '@florin/proto/identity/v1/verification_service';
import { CodedError } from '@florin/rpc/errors';
import { phoneCountryOf, phoneSchema } from '@florin/rpc/phone';
import { parseRequest, userMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { phoneCodeText } from '../domain/code-texts.ts';
import type { Dependencies } from './dependencies.ts';
import { ipField } from './fields.ts';

const requestSchema = z.object({ phone: phoneSchema, ip: ipField });

/** @throws CodedError PHONE_COUNTRY_NOT_ALLOWED, RATE_LIMITED, RESEND_TOO_SOON, VALIDATION_FAILED, SERVICE_UNAVAILABLE */
export const sendPhoneCode = ({ sendCode, smsSender, smsCountries, partnerNameOf }: Dependencies) =>
  userMethod(async (request: SendPhoneCodeRequest, { caller }) => {
    const { phone, ip } = parseRequest(requestSchema, request);
    // Numbers in some countries share the price of a message with their holder (toll fraud).
    if (!smsCountries.has(phoneCountryOf(phone) ?? '')) throw new CodedError('PHONE_COUNTRY_NOT_ALLOWED');
    const { userId } = caller;
    await sendCode({
      slot: { purpose: 'phone', userId },
      recipient: phone,
      owner: userId,
      ip,
      deliver: (code) => smsSender.send({ to: phone, code, text: phoneCodeText(code, partnerNameOf(caller.partnerId)) }),
    });
    return {};
  });
