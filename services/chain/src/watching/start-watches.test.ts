import { DEFAULT_ASSETS } from '@florin/rpc/assets';
import { expect, it } from 'vitest';
import { watchedChains } from './start-watches.ts';

it('watches the chains that have nodes and tokens with an address', () => {
  const urls = { 1: ['http://127.0.0.1:1'], 100: ['http://127.0.0.1:2', 'http://127.0.0.1:3'] };
  const [chain, ...others] = watchedChains({ assets: DEFAULT_ASSETS, urls, startBlocks: { 100: 7 } });
  expect(others).toEqual([]);
  expect(chain).toMatchObject({ chainId: 100, urls: urls[100], startBlock: 7 });
  expect([...(chain?.symbols.values() ?? [])]).toEqual(['EURe', 'GBPe', 'USDC.e']);
});
