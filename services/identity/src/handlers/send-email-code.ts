import type { SendEmailCodeRequest } from '@florin/proto/identity/v1/verification_service';
import { parseRequest, walletMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { emailCodeText } from '../domain/code-texts.ts';
import { emailKeyOf, emailSchema } from '../domain/email.ts';
import type { Dependencies } from './dependencies.ts';
import { ipField } from './fields.ts';

const requestSchema = z.object({ email: emailSchema, ip: ipField });

/**
 * Sends a code to any address. The handler has no access to users, so neither its result nor the time that it takes reveals whether an
 * address is registered.
 * @throws CodedError RATE_LIMITED, RESEND_TOO_SOON, VALIDATION_FAILED, SERVICE_UNAVAILABLE
 */
export const sendEmailCode = ({ sendCode, mailer, partnerNameOf }: Dependencies) =>
  walletMethod(async (request: SendEmailCodeRequest, { caller }) => {
    const { email, ip } = parseRequest(requestSchema, request);
    const { wallet, partnerId } = caller;
    const emailKey = emailKeyOf(email);
    await sendCode({
      slot: { purpose: 'email', partnerId, wallet, emailKey },
      recipient: emailKey,
      owner: wallet,
      ip,
      deliver: (code) => mailer.send({ to: email, code, ...emailCodeText(code, partnerNameOf(partnerId)) }),
    });
    return {};
  });
