import type { SendEmailCodeRequest } from '@florin/proto/identity/v1/verification_service';
import { parseRequest, walletMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { emailCodeText } from '../domain/code-texts.ts';
import { emailKeyOf, emailSchema } from '../domain/email.ts';
import { walletKeyOf } from '../domain/user.ts';
import type { Dependencies } from './dependencies.ts';

const requestSchema = z.object({ email: emailSchema });

type Parts = Pick<Dependencies, 'sendCode' | 'mailer' | 'partnerNameOf'>;

/**
 * Sends to every address alike. It knows no store, so it cannot look whether an address is known: neither the answer nor the time that
 * it takes can tell.
 * @throws CodedError RATE_LIMITED, VALIDATION_FAILED, SERVICE_UNAVAILABLE
 */
export const sendEmailCode = ({ sendCode, mailer, partnerNameOf }: Parts) =>
  walletMethod(async (request: SendEmailCodeRequest, { caller }) => {
    const { email } = parseRequest(requestSchema, request);
    const wallet = walletKeyOf(caller.wallet);
    const emailKey = emailKeyOf(email);
    await sendCode({
      slot: { purpose: 'email', partnerId: caller.partnerId, wallet, emailKey },
      recipient: emailKey,
      owner: wallet,
      deliver: (code) => mailer.send({ to: email, code, ...emailCodeText(code, partnerNameOf(caller.partnerId)) }),
    });
    return {};
  });
