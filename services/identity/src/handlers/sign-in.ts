import type { SignInRequest } from '@florin/proto/identity/v1/auth_service';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { signedMessageShape } from '../siwe/prove-wallet.ts';
import type { Dependencies } from './dependencies.ts';
import { ipField, thumbprintField } from './fields.ts';
import { toWireTokenPair } from './to-wire.ts';

const USER_AGENT_LENGTH = 256;

const requestSchema = z.object({
  ...signedMessageShape,
  // Only displayed, so a value that is too long is cut.
  userAgent: z.string().transform((text) => text.slice(0, USER_AGENT_LENGTH)),
  ip: ipField,
  dpopJkt: thumbprintField,
});

/**
 * Opens a session for a signed message, once. A sign-in that fails gives its nonce back, so that a repeat of the request needs no new signature; if its session was
 * stored all the same, nobody has its tokens.
 * @throws CodedError INVALID_SIGNATURE, NONCE_EXPIRED, NONCE_USED, DOMAIN_NOT_ALLOWED, SERVICE_UNAVAILABLE, VALIDATION_FAILED
 */
export const signIn = ({ proveWallet, sessions }: Dependencies) =>
  serviceMethod(IDENTITY_SCOPES.signIn, async (request: SignInRequest) => {
    const { message, signature, userAgent, ip, dpopJkt } = parseRequest(requestSchema, request);
    const { wallet, partner, release } = await proveWallet({ message, signature }, { purpose: 'sign_in' });
    const session = {
      wallet,
      partnerId: partner.id,
      ...(userAgent === '' ? {} : { userAgent }),
      ...(ip === '' ? {} : { ip }),
      ...(dpopJkt === '' ? {} : { jkt: dpopJkt }),
    };
    try {
      return { tokens: toWireTokenPair(await sessions.open(session)) };
    } catch (error) {
      // Without Redis the nonce stays used, and the wallet signs a new message.
      await release().catch(() => undefined);
      throw error;
    }
  });
