import type { SignInRequest } from '@florin/proto/identity/v1/auth_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { ipOf } from './fields.ts';
import { toWireTokenPair } from './to-wire.ts';

const USER_AGENT_LENGTH = 256;

/**
 * Opens a session for a signed message, once. A sign-in that fails gives its nonce back, so that a repeat of the request needs no new signature; if its session was
 * stored all the same, nobody has its tokens.
 */
export const signIn = ({ proveWallet, sessions }: Dependencies) =>
  serviceMethod(async (request: SignInRequest) => {
    const { message, signature, dpopJkt } = request;
    // Only displayed, so a value that is too long is cut.
    const userAgent = request.userAgent.slice(0, USER_AGENT_LENGTH);
    const ip = ipOf(request);
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
