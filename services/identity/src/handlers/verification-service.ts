import {
  type SendEmailCodeRequest,
  type SendPhoneCodeRequest,
  VerificationService,
  type VerifyPhoneCodeRequest,
} from '@florin/proto/identity/v1/verification_service';
import { requireFields } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import { phoneCountryOf, phoneProblem } from '@florin/rpc/phone';
import { implement, type ServiceImplementation, serviceMethod, userMethod, walletMethod } from '@florin/rpc/server';
import { emailCodeText, phoneCodeText } from '../domain/code-texts.ts';
import { emailKeyOf } from '../domain/email.ts';
import type { Dependencies } from './dependencies.ts';
import { ipOf, readEmail } from './fields.ts';

/**
 * Sends a code to any address. The handler has no access to users, so neither its result nor the time that it takes reveals whether an
 * address is registered.
 */
const sendEmailCode = ({ sendCode, mailer, partnerNameOf }: Dependencies) =>
  walletMethod(async (request: SendEmailCodeRequest, { caller }) => {
    const email = readEmail(request.email);
    const ip = ipOf(request);
    const { wallet, partnerId } = caller;
    const emailKey = emailKeyOf(email);
    await sendCode({
      slot: { purpose: 'email', partnerId, wallet, emailKey },
      recipient: emailKey,
      owner: wallet,
      ip,
      deliver: (code) => mailer.send({ to: email, code, ...emailCodeText(code, partnerNameOf(partnerId), request.language) }),
    });
    return {};
  });

const sendPhoneCode = ({ sendCode, smsSender, smsCountries, partnerNameOf }: Dependencies) =>
  userMethod(async (request: SendPhoneCodeRequest, { caller }) => {
    const { phone, language } = request;
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
      deliver: (code) => smsSender.send({ to: phone, code, text: phoneCodeText(code, partnerNameOf(caller.partnerId), language) }),
    });
    return {};
  });

const REJECTION = { invalid: 'INVALID_CODE', expired: 'CODE_EXPIRED', exhausted: 'CODE_ATTEMPTS_EXCEEDED' } as const;

const verifyPhoneCode = ({ codes }: Dependencies) =>
  serviceMethod(async (request: VerifyPhoneCodeRequest) => {
    const { userId, code, verificationId } = request;
    const checked = await codes.check({ purpose: 'phone', userId }, code, verificationId);
    if (checked.outcome !== 'valid') throw new CodedError(REJECTION[checked.outcome]);
    return { phone: checked.recipient };
  });

/** Implementation of the contract `VerificationService`. */
export const verificationService = (dependencies: Dependencies): ServiceImplementation =>
  implement(VerificationService, {
    sendEmailCode: sendEmailCode(dependencies),
    sendPhoneCode: sendPhoneCode(dependencies),
    verifyPhoneCode: verifyPhoneCode(dependencies),
  });
