import { createSigningKey, type PublicKey, type SigningKey } from '@florin/rpc/signing-key';
import type { z } from 'zod';
import type { headShape } from '../config.ts';

type HeadConfig = z.output<z.ZodObject<typeof headShape>>;

/** The key that signs, and all keys whose heads are accepted. */
export const headKeys = ({ LEDGER_HEAD_KEY, LEDGER_HEAD_TRUST }: HeadConfig): { signer: SigningKey | undefined; trusted: PublicKey[] } => {
  const signer = LEDGER_HEAD_KEY === undefined ? undefined : createSigningKey(LEDGER_HEAD_KEY);
  return { signer, trusted: [...(signer === undefined ? [] : [signer.publicKey]), ...LEDGER_HEAD_TRUST] };
};
