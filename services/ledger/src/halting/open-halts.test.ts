import { DEFAULT_ASSETS } from '@florin/rpc/assets';
import { quietLogger } from '@florin/rpc/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openHalts } from './halts.ts';

const CHAIN = 100;
const START = new Date('2026-01-02T00:00:00Z');

describe('what an instance knows of what cannot be spent', () => {
  let close: (() => Promise<void>) | undefined;
  afterEach(async () => {
    vi.useRealTimers();
    await close?.();
  });

  const open = async (bounds: { chainId: number; until: Date }[]) => {
    vi.useFakeTimers({ now: START });
    const halts = await openHalts({
      chains: {
        ids: async () => [],
        bounds: async () => bounds,
        renew: async () => undefined,
        add: async () => undefined,
        remove: async () => undefined,
      },
      blocks: {
        all: async () => [],
        add: async () => undefined,
        remove: async () => undefined,
      },
      assets: DEFAULT_ASSETS,
      runtime: { now: () => new Date() },
      logger: quietLogger,
    });
    ({ close } = halts);
    return halts;
  };
  it('says for how long the tokens of a chain can be spent', async () => {
    const halts = await open([{ chainId: CHAIN, until: new Date(START.getTime() + 3000) }]);
    expect(halts.secondsLeft()).toEqual([[CHAIN, 3]]);
    expect(halts.tokens().size).toBe(0);
    await vi.advanceTimersByTimeAsync(5000);
    expect(halts.secondsLeft()).toEqual([[CHAIN, -2]]);
    expect(halts.tokens().get('EURe')).toBe('CHAIN_HALTED');
  });
});
