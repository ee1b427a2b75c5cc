import { CodedError } from '@florin/rpc/errors';
import { calculateJwkThumbprint, compactVerify, EmbeddedJWK } from 'jose';
import { z } from 'zod';
import { PIN_SHAPE } from '../domain/pin.ts';
import { openMessage } from './open-message.ts';

/** A new PIN, the challenge that it belongs to, and the key that signed both. */
export type NewPin = { pin: string; nonce: string; thumbprint: string };

const messageSchema = z.object({ pin: z.string().regex(PIN_SHAPE), nonce: z.string().regex(/^\d{1,78}$/) });

/**
 * Reads a new PIN from the decrypted message to the vault: a JWS by the app's key, which is part of its header. The signature is what keeps
 * a process between app and vault, which knows the vault's public key too, from putting another PIN in place.
 * @throws CodedError SEALED_MESSAGE_INVALID, with the member that is wrong as `field`: `pin`, `nonce` or the message itself, `jws`
 */
export const readNewPin = async (text: string): Promise<NewPin> => {
  try {
    const { payload, protectedHeader } = await compactVerify(text, EmbeddedJWK, { algorithms: ['ES256'] });
    const { pin, nonce } = openMessage(messageSchema, new TextDecoder().decode(payload));
    return { pin, nonce, thumbprint: await calculateJwkThumbprint(protectedHeader.jwk ?? {}) };
  } catch (error) {
    if (error instanceof CodedError) throw error;
    // The error may quote the message.
    throw new CodedError('SEALED_MESSAGE_INVALID', { metadata: { field: 'jws' } });
  }
};
