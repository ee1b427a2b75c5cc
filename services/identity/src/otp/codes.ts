import type { Redis } from '@florin/data/redis';
import type { Runtime } from '@florin/rpc/runtime';
import { keyedHash } from '../crypto/derive-key.ts';
import type { Sealer } from '../crypto/sealer.ts';
import { CHECK, ISSUE, RETIRE } from './scripts.ts';

const DIGITS = 6;
const LIFE_MS = 5 * 60 * 1000;
const RESEND_AFTER_MS = 30 * 1000;
const MAX_WRONG_TRIES = 5;

/** An expired code still answers that it is expired for so long. */
const REMEMBERED_MS = 60 * 60 * 1000;

/**
 * Where a code lives; a new code replaces the one in its slot, and a code is worth nothing in any other slot.
 * - `email`: bound to the wallet that asked, to the address, and to the partner in whose name it was sent
 * - `phone`: bound to the user who asked; the newest wins, and proves the number that it was sent to
 */
export type CodeSlot = { purpose: 'email'; partnerId: string; wallet: string; emailKey: string } | { purpose: 'phone'; userId: string };

export type IssuedCode = { id: string; code: string };

export type CheckedCode = { outcome: 'valid'; id: string; recipient: string } | { outcome: 'invalid' } | { outcome: 'expired' };

/** One-time passwords. Redis holds a keyed hash of each: who reads Redis can neither see a code nor try them all. */
export type Codes = {
  /** Makes a code, or answers how many milliseconds the slot has to wait for one; the code that was sent stays valid then. */
  issue: (slot: CodeSlot, recipient: string) => Promise<IssuedCode | { waitMs: number }>;
  /** Takes back a code that could not be delivered. */
  withdraw: (slot: CodeSlot, id: string) => Promise<void>;
  /**
   * Looks at a guess. A wrong one is counted, a right one does not use the code up, unless `useAs` names the verification:
   * then a repeat under the same name answers the same within the code's life.
   */
  check: (slot: CodeSlot, guess: string, useAs?: string) => Promise<CheckedCode>;
  /** Uses up the code that was checked. */
  consume: (slot: CodeSlot, id: string) => Promise<void>;
};

export type CodeParts = { redis: Redis; runtime: Runtime; key: Uint8Array; sealer: Sealer };

export const createCodes = ({ redis, runtime, key, sealer }: CodeParts): Codes => {
  const partsOf = (slot: CodeSlot): string[] =>
    slot.purpose === 'email' ? [slot.purpose, slot.partnerId, slot.wallet.toLowerCase(), slot.emailKey] : [slot.purpose, slot.userId];
  const keyOf = (slot: CodeSlot): string => `florin:identity:otp:${slot.purpose}:${keyedHash(key, ['slot', ...partsOf(slot)])}`;
  const proofOf = (slot: CodeSlot, code: string): string => keyedHash(key, ['code', ...partsOf(slot), code]);
  const run = (script: string, slot: CodeSlot, args: readonly (string | number)[]): Promise<unknown> =>
    redis.eval(script, { keys: [keyOf(slot)], arguments: args.map(String) });

  return {
    issue: async (slot, recipient) => {
      const id = runtime.newId();
      const code = String(runtime.randomInt(0, 10 ** DIGITS)).padStart(DIGITS, '0');
      const sealed = await sealer.seal(recipient, keyOf(slot));
      const now = runtime.now().getTime();
      const kept = LIFE_MS + REMEMBERED_MS;
      const waitMs = await run(ISSUE, slot, [now, RESEND_AFTER_MS, id, proofOf(slot, code), sealed, now + LIFE_MS, kept]);
      return waitMs === 0 ? { id, code } : { waitMs: Number(waitMs) };
    },
    withdraw: async (slot, id) => {
      await run(RETIRE, slot, [id, 'proof', 'sentAt']);
    },
    check: async (slot, guess, useAs = '') => {
      const args = [runtime.now().getTime(), proofOf(slot, guess), MAX_WRONG_TRIES, useAs];
      const [outcome, id, sealed] = (await run(CHECK, slot, args)) as [CheckedCode['outcome'], string?, string?];
      if (outcome !== 'valid' || id === undefined || sealed === undefined)
        return { outcome: outcome === 'expired' ? 'expired' : 'invalid' };
      return { outcome, id, recipient: await sealer.open(sealed, keyOf(slot)) };
    },
    consume: async (slot, id) => {
      await run(RETIRE, slot, [id, 'proof']);
    },
  };
};
