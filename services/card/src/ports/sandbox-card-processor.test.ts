import { randomBytes } from 'node:crypto';
import { ConfigError } from '@florin/rpc/config';
import { passesLuhn } from '@florin/rpc/observe';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CardConfig } from '../config.ts';
import { chooseCardProcessor } from './choose-card-processor.ts';
import { createSandboxCardProcessor } from './sandbox-card-processor.ts';
import { sandboxPan, sandboxPanKey } from './sandbox-pan.ts';

const MASTER_KEY = new Uint8Array(32).fill(7);
const ORDER = {
  cardId: '01890a5d-ac96-774b-bcce-b302099a8057',
  userId: 'u',
  accountId: 'a',
  name: 'Everyday',
  requestedAt: new Date('2025-12-31T23:59:59Z'),
};

describe('sandbox card numbers', () => {
  it('are test numbers with a valid check digit, deterministic per card', () => {
    const key = sandboxPanKey(MASTER_KEY);
    fc.assert(
      fc.property(fc.uuid(), (cardId) => {
        const pan = sandboxPan(key, cardId);
        expect(pan).toMatch(/^400000\d{10}$/);
        expect(passesLuhn(pan)).toBe(true);
        expect(sandboxPan(key, cardId)).toBe(pan);
      }),
    );
  });

  it('depend on the master key, through a key derived for this purpose', () => {
    const pan = sandboxPan(sandboxPanKey(MASTER_KEY), ORDER.cardId);
    expect(sandboxPan(sandboxPanKey(new Uint8Array(randomBytes(32))), ORDER.cardId)).not.toBe(pan);
    expect(sandboxPan(MASTER_KEY, ORDER.cardId)).not.toBe(pan);
  });
});

describe('sandbox processor', () => {
  it('returns only the face of the card, the same on each repeat', async () => {
    const processor = createSandboxCardProcessor(MASTER_KEY);
    const result = await processor.issueCard(ORDER, AbortSignal.timeout(1000));
    const last4 = sandboxPan(sandboxPanKey(MASTER_KEY), ORDER.cardId).slice(-4);
    expect(result).toEqual({ outcome: 'issued', face: { last4, expMonth: 12, expYear: 2029, network: 'visa' } });
    expect(await processor.issueCard(ORDER, AbortSignal.timeout(1000))).toEqual(result);
  });

  it('is rejected outside the sandbox, naming the variable', () => {
    const choose = (SANDBOX: boolean) => chooseCardProcessor({ PROCESSOR: 'sandbox', SANDBOX, CARD_MASTER_KEY: MASTER_KEY } as CardConfig);
    expect(() => choose(false)).toThrow(ConfigError);
    expect(() => choose(false)).toThrow(/^PROCESSOR: sandbox /);
    expect(choose(true)).toBeDefined();
  });
});
