import { DEFAULT_ASSETS } from '@florin/rpc/assets';
import { quietLogger } from '@florin/rpc/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { TokenBlock } from '../domain/token-block.ts';
import { openHalts } from './halts.ts';

const CHAIN = 100;
const START = new Date('2026-01-02T00:00:00Z');

describe('what an instance knows of what cannot be spent', () => {
  let close: (() => Promise<void>) | undefined;
  afterEach(async () => {
    vi.useRealTimers();
    await close?.();
  });

  const open = async (
    bounds: { chainId: number; until: Date }[],
    { ids = async () => [], all = async () => [] }: { ids?: () => Promise<number[]>; all?: () => Promise<TokenBlock[]> } = {},
  ) => {
    vi.useFakeTimers({ now: START });
    const halts = await openHalts({
      chains: {
        ids,
        bounds: async () => bounds,
        renew: async () => undefined,
        add: async () => undefined,
        remove: async () => undefined,
      },
      blocks: {
        all,
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

  it('knows of a halted chain while the blocks of tokens are still read', async () => {
    let ids: number[] = [];
    const slow = Promise.withResolvers<TokenBlock[]>();
    let blocks = Promise.resolve<TokenBlock[]>([]);
    const halts = await open([], { ids: async () => ids, all: () => blocks });
    [ids, blocks] = [[CHAIN], slow.promise];
    try {
      await vi.advanceTimersByTimeAsync(1500);
      expect(halts.tokens().get('EURe')).toBe('CHAIN_HALTED');
    } finally {
      slow.resolve([]);
    }
  });

  it('does not take a block up again that has ended while the blocks were read', async () => {
    const block: TokenBlock = { token: 'EURe', reason: 'paused', since: START };
    const answers: ((found: TokenBlock[]) => void)[] = [];
    let isHeld = false;
    const halts = await open([], { all: () => (isHeld ? new Promise((resolve) => answers.push(resolve)) : Promise.resolve([block])) });
    expect(halts.tokens().get('EURe')).toBe('TOKEN_BLOCKED');
    isHeld = true;
    await vi.advanceTimersByTimeAsync(1000);
    const ended = halts.unblock(block);
    await vi.advanceTimersByTimeAsync(0);
    const [before, after] = answers;
    after?.([]);
    await ended;
    before?.([block]);
    await vi.advanceTimersByTimeAsync(0);
    expect([answers.length, halts.tokens().size]).toEqual([2, 0]);
  });
});
