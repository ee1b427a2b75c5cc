import type { SendEmailCodeRequest } from '@florin/proto/identity/v1/verification_service';
import { walletMethod } from '@florin/rpc/server';
import { emailCodeText } from '../domain/code-texts.ts';
import { emailKeyOf } from '../domain/email.ts';
import type { Dependencies } from './dependencies.ts';
import { ipOf, readEmail } from './fields.ts';

/**
 * Sends a code to any address. The handler has no access to users, so neither its result nor the time that it takes reveals whether an
 * address is registered.
 */
export const sendEmailCode = ({ sendCode, mailer, partnerNameOf }: Dependencies) =>
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
      deliver: (code) => mailer.send({ to: email, code, ...emailCodeText(code, partnerNameOf(partnerId)) }),
    });
    return {};
  });
