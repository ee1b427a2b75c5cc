import { CodedError } from '@florin/rpc/errors';
import type { Runtime } from '@florin/rpc/runtime';
import { hashMessage } from 'viem';
import { z } from 'zod';
import type { Partner } from '../domain/partners.ts';
import { readSiweMessage, type SiwePurpose, siweFingerprint } from '../domain/siwe-message.ts';
import type { Nonces } from './nonces.ts';
import type { WalletSignatures } from './wallet-signatures.ts';

/** Fields of a signed message in requests. */
export const signedMessageShape = {
  message: z.string().min(1).max(8192),
  signature: z.string().min(1).max(8194),
} as const;

export type SignedMessage = { message: string; signature: string };

/** A wallet (EIP-55) whose key or contract signed a message that identity issued for a domain of the partner. */
export type ProvenWallet = { wallet: `0x${string}`; partner: Partner };

/** What a proof is for. */
export type ProofUse = {
  /** The purpose that the message was issued for. */
  purpose: SiwePurpose;
  /** Makes the proof repeatable: a repeat with the same name succeeds until the proof is completed or expires. */
  name?: string;
  /** Runs before the nonce is consumed; what it throws keeps the nonce usable. */
  check?: (proven: ProvenWallet) => void;
};

/** A verified proof. */
export type Proof = ProvenWallet & {
  /** Nonce of the message. */
  nonce: string;
  /** Whether the named use was completed by an earlier call: nothing may be done again. */
  isCompleted: boolean;
  /** Completes the named use, so that the proof cannot be used again. */
  complete: () => Promise<void>;
  /** Gives the nonce of an unnamed use back: what the proof was for failed, so the same message may be sent again. */
  release: () => Promise<void>;
};

/**
 * Checks a signed message and consumes its nonce. Only the exact text that was issued for this purpose, signed by the wallet in it,
 * consumes the nonce, so that no other caller can. The state of a nonce is reported only after the signature was verified.
 * @throws CodedError VALIDATION_FAILED (not an EIP-4361 message), INVALID_SIGNATURE, NONCE_EXPIRED, NONCE_USED, DOMAIN_NOT_ALLOWED, SERVICE_UNAVAILABLE, and errors of `check`
 */
export type ProveWallet = (signed: SignedMessage, use: ProofUse) => Promise<Proof>;

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
    if (presented === undefined) {
      throw new CodedError('VALIDATION_FAILED', { message: 'message: must be an EIP-4361 message, exactly as it was issued' });
    }

    const issued = await nonces.find(presented.nonce);
    if (issued === undefined) throw new CodedError('NONCE_EXPIRED');
    const isIssued = issued.purpose === use.purpose && issued.fingerprint === siweFingerprint(message);
    if (!isIssued || !(await isSignedByWallet(presented.address, hashMessage(message), signature)))
      throw new CodedError('INVALID_SIGNATURE');

    // The configuration may have changed since the message was issued.
    const partner = partnerOf(presented.domain);
    if (partner === undefined) throw new CodedError('DOMAIN_NOT_ALLOWED');
    const proven = { wallet: presented.address, partner };
    use.check?.(proven);
    const outcome = await nonces.consume(presented.nonce, runtime.now(), use.name);
    if (outcome === 'used') throw new CodedError('NONCE_USED');
    if (outcome === 'expired' || outcome === 'unknown') throw new CodedError('NONCE_EXPIRED');
    const { nonce } = presented;
    return {
      ...proven,
      nonce,
      isCompleted: outcome === 'completed',
      complete: () => nonces.complete(nonce),
      release: () => nonces.release(nonce),
    };
  };
