import type { SendPhoneCodeRequest } from '@florin/proto/identity/v1/verification_service';
import { requireFields } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import { phoneCountryOf, phoneProblem } from '@florin/rpc/phone';
import { userMethod } from '@florin/rpc/server';
import { phoneCodeText } from '../domain/code-texts.ts';
import type { Dependencies } from './dependencies.ts';
import { ipOf } from './fields.ts';

export const sendPhoneCode = ({ sendCode, smsSender, smsCountries, partnerNameOf }: Dependencies) =>
  userMethod(async (request: SendPhoneCodeRequest, { caller }) => {
    const { phone } = request;
    requireFields({ phone: phoneProblem(phone) });
    const ip = ipOf(request);
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
