import { CodedError } from '@florin/rpc/errors';
import type { Runtime } from '@florin/rpc/runtime';
import { hashMessage } from 'viem';
import type { Partner } from '../domain/partners.ts';
import { isForPurpose, isValidAt, readSiweMessage, type SiwePurpose } from '../domain/siwe-message.ts';
import type { UsedMessageStore } from '../store/used-messages.ts';
import type { SiweMessages } from './siwe-messages.ts';
import type { WalletSignatures } from './wallet-signatures.ts';

export type SignedMessage = { message: string; signature: string };

/** A wallet (EIP-55) whose key or contract signed a message that identity issued for a domain of the partner. */
export type ProvenWallet = { wallet: `0x${string}`; partner: Partner };

/** The purpose of a proof. */
export type ProofUse = {
  /** The purpose that the message states. */
  purpose: SiwePurpose;
  /** Makes the proof repeatable: a repeat with the same name succeeds until the proof is completed or expires. */
  name?: string;
  /** Runs before the message is used up; what it throws keeps the message usable. */
  check?: (proven: ProvenWallet) => void;
};

/** A verified proof. */
export type Proof = ProvenWallet & {
  /** Nonce of the message. */
  nonce: string;
  /** True if the named use was completed by an earlier call: nothing may be done again. */
  isCompleted: boolean;
  /** Completes the named use, so that the proof cannot be used again. */
  complete: () => Promise<void>;
  /** Takes an unnamed use back: what the proof was for failed, so the same message may be sent again. */
  release: () => Promise<void>;
};

/**
 * Checks a signed message and uses it up. The text that the wallet signed decides what it allows and until when: identity must have written it, for
 * this purpose. A used message is reported only after its signature was verified.
 * @throws CodedError VALIDATION_FAILED (not an EIP-4361 message), INVALID_SIGNATURE, NONCE_EXPIRED, NONCE_USED, DOMAIN_NOT_ALLOWED, SERVICE_UNAVAILABLE, and errors of `check`
 */
export type ProveWallet = (signed: SignedMessage, use: ProofUse) => Promise<Proof>;

type Parts = {
  siweMessages: Pick<SiweMessages, 'originOf'>;
  usedMessages: UsedMessageStore;
  runtime: Pick<Runtime, 'now'>;
  isSignedByWallet: WalletSignatures;
  partnerOf: (domain: string) => Partner | undefined;
};

export const createProveWallet =
  ({ siweMessages, usedMessages, runtime, isSignedByWallet, partnerOf }: Parts): ProveWallet =>
  async ({ message, signature }, use) => {
    const presented = readSiweMessage(message);
    if (presented === undefined) {
      throw new CodedError('VALIDATION_FAILED', { message: 'message: must be an EIP-4361 message, exactly as it was issued' });
    }
    const origin = siweMessages.originOf(message);
    if (origin === 'foreign') throw new CodedError('NONCE_EXPIRED');
    // The configuration may have changed since the message was issued.
    const partner = partnerOf(presented.domain);
    const isIssued = origin === 'genuine' && (partner === undefined || isForPurpose(presented, use.purpose, partner.name));
    if (!isIssued || !(await isSignedByWallet(presented.address, hashMessage(message), signature)))
      throw new CodedError('INVALID_SIGNATURE');
    if (partner === undefined) throw new CodedError('DOMAIN_NOT_ALLOWED');

    const proven = { wallet: presented.address, partner };
    use.check?.(proven);
    if (!isValidAt(presented, runtime.now())) throw new CodedError('NONCE_EXPIRED');
    const { nonce } = presented;
    const outcome = await usedMessages.consume(nonce, use.name ?? '', presented.expiresAt);
    if (outcome === 'used') throw new CodedError('NONCE_USED');
    return {
      ...proven,
      nonce,
      isCompleted: outcome === 'completed',
      complete: () => usedMessages.complete(nonce),
      release: () => usedMessages.release(nonce),
    };
  };
