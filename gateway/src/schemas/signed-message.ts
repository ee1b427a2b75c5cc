import { z } from 'zod';
import { signature } from './fields.ts';
import { text } from './text.ts';

/** An EIP-4361 message and the signature of the wallet that it names. */
export const signedMessage = z.object({
  message: text({ min: 1, max: 4096 }).meta({ description: 'The message exactly as issued by `GET /auth/siwe/{address}`' }),
  signature,
});
