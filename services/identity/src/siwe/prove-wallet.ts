import { CodedError } from '@florin/rpc/errors';
import type { Runtime } from '@florin/rpc/runtime';
import { z } from 'zod';
import type { Partner } from '../domain/partners.ts';
import { readSiweMessage, siweFingerprint } from '../domain/siwe-message.ts';
import type { Nonces } from './nonces.ts';
import type { WalletSignatures } from './wallet-signatures.ts';

/** A signed message as requests carry it. */
export const signedMessageShape = {
  message: z.string().min(1).max(8192),
  signature: z.string().min(1).max(8194),
} as const;

export type SignedMessage = { message: string; signature: string };

/** A wallet (EIP-55) whose key, or contract, signed a message that we issued for a domain of the partner. */
export type ProvenWallet = { wallet: `0x${string}`; partner: Partner };

/**
 * Checks a signed message and uses its nonce up. Only the exact text that we issued, signed by the wallet in it, consumes the nonce:
 * nobody can burn somebody else's. What became of a nonce is told after the signature was found good.
 * @param use what the proof is for: whatever is wrong with it is told before the nonce is used up (`check`), and a repeat of the same
 * use (`name`) is as good as the first time. Without a name every repeat is refused.
 * @throws CodedError INVALID_SIGNATURE, NONCE_EXPIRED, NONCE_USED, DOMAIN_NOT_ALLOWED, SERVICE_UNAVAILABLE, and what `check` raises
 */
export type ProveWallet = (signed: SignedMessage, use?: { name: string; check: (proven: ProvenWallet) => void }) => Promise<ProvenWallet>;

type Parts = {
  nonces: Nonces;
  runtime: Runtime;
  isSignedByWallet: WalletSignatures;
  partnerOf: (domain: string) => Partner | undefined;
};

export const createProveWallet =
  ({ nonces, runtime, isSignedByWallet, partnerOf }: Parts): ProveWallet =>
  async ({ message, signature }, use) => {
    const presented = readSiweMessage(message);
    if (presented === undefined) throw new CodedError('INVALID_SIGNATURE');

    const issued = await nonces.fingerprintOf(presented.nonce);
    if (issued === undefined) throw new CodedError('NONCE_EXPIRED');
    const isGenuine = issued === siweFingerprint(message) && (await isSignedByWallet(presented.address, message, signature));
    if (!isGenuine) throw new CodedError('INVALID_SIGNATURE');

    // Configuration may have changed since the message was issued.
    const partner = partnerOf(presented.domain);
    if (partner === undefined) throw new CodedError('DOMAIN_NOT_ALLOWED');
    const proven = { wallet: presented.address, partner };
    use?.check(proven);
    const outcome = await nonces.consume(presented.nonce, runtime.now(), use?.name);
    if (outcome !== 'consumed') throw new CodedError(outcome === 'used' ? 'NONCE_USED' : 'NONCE_EXPIRED');
    return proven;
  };
