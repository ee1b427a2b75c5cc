import { CodedError } from '@florin/kit/errors';
import { parseRequest, serviceMethod } from '@florin/kit/rpc';
import type { SignInRequest } from '@florin/proto/identity/v1/auth_service';
import { z } from 'zod';
import { isSignedBy } from '../domain/eoa-signature.ts';
import { readSiweMessage, siweFingerprint } from '../domain/siwe-message.ts';
import type { Dependencies } from './dependencies.ts';
import { ipField } from './fields.ts';
import { toWireTokenPair } from './to-wire.ts';

const USER_AGENT_LENGTH = 256;

const requestSchema = z.object({
  message: z.string().min(1).max(8192),
  signature: z.string().min(1).max(8192),
  // Shown to the person only: cut instead of refused.
  userAgent: z.string().transform((text) => text.slice(0, USER_AGENT_LENGTH)),
  ip: ipField,
});

type Parts = Pick<Dependencies, 'nonces' | 'sessions' | 'runtime' | 'partnerOf'>;

/**
 * Only the exact text that we issued, signed by the wallet in it, consumes the nonce: nobody can burn somebody else's.
 * What became of a nonce is told after the signature was found good.
 * @throws CodedError INVALID_SIGNATURE, NONCE_EXPIRED, NONCE_USED, DOMAIN_NOT_ALLOWED, VALIDATION_FAILED
 */
export const signIn = ({ nonces, sessions, runtime, partnerOf }: Parts) =>
  serviceMethod('identity.signin', async (request: SignInRequest) => {
    const { message, signature, userAgent, ip } = parseRequest(requestSchema, request);
    const presented = readSiweMessage(message);
    if (presented === undefined) throw new CodedError('INVALID_SIGNATURE');

    const issued = await nonces.fingerprintOf(presented.nonce);
    if (issued === undefined) throw new CodedError('NONCE_EXPIRED');
    const isGenuine = issued === siweFingerprint(message) && (await isSignedBy(presented.address, message, signature));
    if (!isGenuine) throw new CodedError('INVALID_SIGNATURE');

    // Configuration may have changed since the message was issued.
    const partner = partnerOf(presented.domain);
    if (partner === undefined) throw new CodedError('DOMAIN_NOT_ALLOWED');
    const outcome = await nonces.consume(presented.nonce, runtime.now());
    if (outcome !== 'consumed') throw new CodedError(outcome === 'used' ? 'NONCE_USED' : 'NONCE_EXPIRED');

    const tokens = await sessions.open({
      wallet: presented.address,
      partnerId: partner.id,
      ...(userAgent === '' ? {} : { userAgent }),
      ...(ip === '' ? {} : { ip }),
    });
    return { tokens: toWireTokenPair(tokens) };
  });
