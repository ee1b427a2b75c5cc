import { z } from 'zod';
import { signature } from './fields.ts';

/** The query of operations that need the signature of a wallet where they let through what was not. */
export const approvalQuery = z.object({
  approval: signature
    .optional()
    .meta({ description: 'Signature of a wallet of the user over the typed data that was created for this change' }),
});

/** The errors of an approval. */
export const APPROVAL_ERRORS = [
  'REAUTHENTICATION_REQUIRED',
  'APPROVAL_REQUIRED',
  'INVALID_APPROVAL',
  'WALLET_COOLING',
  'NONCE_EXPIRED',
  'NONCE_USED',
] as const;

/** The caller's own token is valid; the nonce belongs to the approval. */
export const APPROVAL_STATUS = { NONCE_EXPIRED: 400, NONCE_USED: 400 } as const;

/** Card asks identity about the approval, which may ask a chain node about a contract wallet. */
export const APPROVAL_TIMEOUT_MS = 8000;
