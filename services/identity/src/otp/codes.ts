import type { Sealer } from '@florin/rpc/crypto';
import { CodedError } from '@florin/rpc/errors';
import type { Runtime } from '@florin/rpc/runtime';
import { keyedHash } from '../crypto/derive-key.ts';
import { walletKeyOf } from '../domain/user.ts';
import type { CodeStore, StoredCode } from '../store/codes.ts';

const DIGITS = 6;
const LIFE_MS = 5 * 60 * 1000;
const RESEND_AFTER_MS = 30 * 1000;
const MAX_WRONG_TRIES = 5;

/** Time for which an expired code is still reported as expired. */
const REMEMBERED_MS = 60 * 60 * 1000;

/** Two calls at the same time, of which one corrects the recipient of the other, and a third one that comes too late. */
const ISSUE_ATTEMPTS = 5;

/**
 * Slot of a code. A new code replaces the one in its slot, and a code is valid only in its slot.
 * - `email`: bound to the wallet of the caller (any case), the address, and the partner in whose name it is sent
 * - `phone`: bound to the user; the newest code proves the number that it was sent to
 */
export type CodeSlot = { purpose: 'email'; partnerId: string; wallet: string; emailKey: string } | { purpose: 'phone'; userId: string };

export type IssuedCode = { id: string; code: string };

export type CheckedCode = { outcome: 'valid'; id: string; recipient: string } | { outcome: 'invalid' | 'expired' | 'exhausted' };

/**
 * One-time passwords. The database holds a keyed hash of each code, so reading it neither reveals a code nor allows to try them all. Nothing about
 * a code is in Redis: what counts guesses must not be lost or taken back.
 */
export type Codes = {
  /**
   * Issues a code. Returns how many milliseconds the slot must wait when its last code is too recent; that code stays valid. One code
   * for another recipient than the last one, such as the corrected phone number, needs no pause: the next one has to wait again.
   */
  issue: (slot: CodeSlot, recipient: string) => Promise<IssuedCode | { waitMs: number }>;
  /** Withdraws a code that was not delivered. */
  withdraw: (slot: CodeSlot, id: string) => Promise<void>;
  /**
   * Checks a guess and counts a wrong one; after the last allowed one the code is exhausted, also for a right guess. A right guess consumes the
   * code only when `useAs` names a verification: then a repeat with the same name returns the same result within the lifetime of the code.
   */
  check: (slot: CodeSlot, guess: string, useAs?: string) => Promise<CheckedCode>;
  /** Consumes the code that was checked. */
  consume: (slot: CodeSlot, id: string) => Promise<void>;
};

export type CodeParts = { store: CodeStore; runtime: Runtime; key: Uint8Array; sealer: Sealer };

export const createCodes = ({ store, runtime, key, sealer }: CodeParts): Codes => {
  const partsOf = (slot: CodeSlot): string[] =>
    slot.purpose === 'email' ? [slot.purpose, slot.partnerId, walletKeyOf(slot.wallet), slot.emailKey] : [slot.purpose, slot.userId];
  const keyOf = (slot: CodeSlot): string => `${slot.purpose}:${keyedHash(key, ['slot', ...partsOf(slot)])}`;
  const proofOf = (slot: CodeSlot, code: string): string => keyedHash(key, ['code', ...partsOf(slot), code]);

  /** Milliseconds until the slot may have another code, and whether that code corrects the recipient of the last one. */
  const pauseAfter = (last: StoredCode | undefined, sentTo: string, now: Date): { waitMs: number; corrected: boolean } => {
    const waitMs = last?.sentAt ? last.sentAt.getTime() + RESEND_AFTER_MS - now.getTime() : 0;
    const corrected = waitMs > 0 && last?.sentTo !== sentTo && last?.corrected === false;
    return { waitMs: corrected ? 0 : Math.max(0, waitMs), corrected };
  };

  const valid = async (slot: CodeSlot, id: string, sealed: string): Promise<CheckedCode> => ({
    outcome: 'valid',
    id,
    recipient: await sealer.open(sealed, keyOf(slot)),
  });

  return {
    issue: async (slot, recipient) => {
      const code = String(runtime.randomInt(0, 10 ** DIGITS)).padStart(DIGITS, '0');
      const sealed = await sealer.seal(recipient, keyOf(slot));
      const sentTo = keyedHash(key, ['recipient', ...partsOf(slot), recipient]);
      for (let attempt = 0; attempt < ISSUE_ATTEMPTS; attempt += 1) {
        const last = await store.find(keyOf(slot));
        const now = runtime.now();
        const { waitMs, corrected } = pauseAfter(last, sentTo, now);
        if (waitMs > 0) return { waitMs };
        const [id, expiresAt] = [runtime.newId(), new Date(now.getTime() + LIFE_MS)];
        const next = { id, proof: proofOf(slot, code), recipient: sealed, tries: 0, sentAt: now, expiresAt, sentTo, corrected };
        if (await store.replace(keyOf(slot), next, last, new Date(expiresAt.getTime() + REMEMBERED_MS))) return { id, code };
      }
      throw new CodedError('SERVICE_UNAVAILABLE', { message: 'other codes were requested at the same time' });
    },
    withdraw: (slot, id) => store.retire(keyOf(slot), id, false),
    check: async (slot, guess, useAs) => {
      const [now, proof] = [runtime.now(), proofOf(slot, guess)];
      const compared = await store.compare(keyOf(slot), { now, proof, maxTries: MAX_WRONG_TRIES, useAs });
      if (compared !== undefined) return compared.proof === proof ? valid(slot, compared.id, compared.recipient) : { outcome: 'invalid' };
      const stored = await store.find(keyOf(slot));
      const used = stored?.used;
      if (used && used.as === useAs && used.proof === proof) {
        return now < used.expiresAt ? valid(slot, '', used.recipient) : { outcome: 'expired' };
      }
      if (!stored?.proof) return { outcome: 'invalid' };
      return { outcome: stored.tries >= MAX_WRONG_TRIES ? 'exhausted' : 'expired' };
    },
    consume: (slot, id) => store.retire(keyOf(slot), id, true),
  };
};
