import { z } from 'zod';
import { signature } from './fields.ts';

/** A smart wallet is asked on its chain, for as long as CHAIN_RPC_TIMEOUT_MS of identity may say. */
export const PROOF_TIMEOUT_MS = 12_000;

/** An EIP-4361 message and what the wallet in it made of it. */
export const signedMessage = z.object({
  message: z.string().min(1).max(4096).meta({ description: 'The message exactly as issued' }),
  signature,
});
