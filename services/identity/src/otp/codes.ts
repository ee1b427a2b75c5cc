import type { Redis } from '@florin/data/redis';
import type { Sealer } from '@florin/rpc/crypto';
import type { Runtime } from '@florin/rpc/runtime';
import { keyedHash } from '../crypto/derive-key.ts';
import { walletKeyOf } from '../domain/user.ts';
import { CHECK, ISSUE, RETIRE } from './scripts.ts';

const DIGITS = 6;
const LIFE_MS = 5 * 60 * 1000;
const RESEND_AFTER_MS = 30 * 1000;
const MAX_WRONG_TRIES = 5;

/** Time for which an expired code is still reported as expired. */
const REMEMBERED_MS = 60 * 60 * 1000;

/**
 * Slot of a code. A new code replaces the one in its slot, and a code is valid only in its slot.
 * - `email`: bound to the wallet of the caller (any case), the address, and the partner in whose name it is sent
 * - `phone`: bound to the user; the newest code proves the number that it was sent to
 */
export type CodeSlot = { purpose: 'email'; partnerId: string; wallet: string; emailKey: string } | { purpose: 'phone'; userId: string };

export type IssuedCode = { id: string; code: string };

export type CheckedCode = { outcome: 'valid'; id: string; recipient: string } | { outcome: 'invalid' | 'expired' | 'exhausted' };

/** One-time passwords. Redis holds a keyed hash of each code, so reading Redis neither reveals a code nor allows to try them all. */
export type Codes = {
  /**
   * Issues a code. Returns how many milliseconds the slot must wait when its last code is too recent; that code stays valid. One code
   * for another recipient than the last one needs no pause.
   */
  issue: (slot: CodeSlot, recipient: string) => Promise<IssuedCode | { waitMs: number }>;
  /** Withdraws a code that was not delivered. */
  withdraw: (slot: CodeSlot, id: string) => Promise<void>;
  /**
   * Checks a guess and counts a wrong one. A right guess consumes the code only when `useAs` names a verification: then a repeat with
   * the same name returns the same result within the lifetime of the code.
   */
  check: (slot: CodeSlot, guess: string, useAs?: string) => Promise<CheckedCode>;
  /** Consumes the code that was checked. */
  consume: (slot: CodeSlot, id: string) => Promise<void>;
};

export type CodeParts = { redis: Redis; runtime: Runtime; key: Uint8Array; sealer: Sealer };

export const createCodes = ({ redis, runtime, key, sealer }: CodeParts): Codes => {
  const partsOf = (slot: CodeSlot): string[] =>
    slot.purpose === 'email' ? [slot.purpose, slot.partnerId, walletKeyOf(slot.wallet), slot.emailKey] : [slot.purpose, slot.userId];
  const keyOf = (slot: CodeSlot): string => `florin:identity:otp:${slot.purpose}:${keyedHash(key, ['slot', ...partsOf(slot)])}`;
  const proofOf = (slot: CodeSlot, code: string): string => keyedHash(key, ['code', ...partsOf(slot), code]);
  const run = (script: string, slot: CodeSlot, args: readonly (string | number)[]): Promise<unknown> =>
    redis.eval(script, { keys: [keyOf(slot)], arguments: args.map(String) });

  return {
    issue: async (slot, recipient) => {
      const id = runtime.newId();
      const code = String(runtime.randomInt(0, 10 ** DIGITS)).padStart(DIGITS, '0');
      const sealed = await sealer.seal(recipient, keyOf(slot));
      const sentTo = keyedHash(key, ['recipient', ...partsOf(slot), recipient]);
      const now = runtime.now().getTime();
      const kept = LIFE_MS + REMEMBERED_MS;
      const waitMs = await run(ISSUE, slot, [now, RESEND_AFTER_MS, id, proofOf(slot, code), sealed, now + LIFE_MS, kept, sentTo]);
      return waitMs === 0 ? { id, code } : { waitMs: Number(waitMs) };
    },
    withdraw: async (slot, id) => {
      await run(RETIRE, slot, [id, 'proof', 'sentAt']);
    },
    check: async (slot, guess, useAs = '') => {
      const args = [runtime.now().getTime(), proofOf(slot, guess), MAX_WRONG_TRIES, useAs];
      const [outcome, id, sealed] = (await run(CHECK, slot, args)) as [CheckedCode['outcome'], string?, string?];
      if (outcome !== 'valid') return { outcome };
      if (id === undefined || sealed === undefined) throw new Error('a valid code must have an id and a recipient');
      return { outcome, id, recipient: await sealer.open(sealed, keyOf(slot)) };
    },
    consume: async (slot, id) => {
      await run(RETIRE, slot, [id, 'proof']);
    },
  };
};
