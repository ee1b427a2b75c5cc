import { describe, expect, it } from 'vitest';
import { createFakeChain, createFakeNode, fakeAddress } from '../testing/fake-chain.ts';
import { readBlockTransfers } from './read-block-transfers.ts';

const [TOKEN, ALICE, BOB] = [fakeAddress('token'), fakeAddress('alice'), fakeAddress('bob')];

/** Blocks with one transfer each, of as much as the block's number. */
const blocksOf = (count: number) => {
  const chain = createFakeChain();
  for (let number = 1; number <= count; number += 1) {
    chain.mine([chain.transaction([{ contract: TOKEN, from: ALICE, to: BOB, amount: BigInt(number) }])]);
  }
  return { node: createFakeNode(chain), headers: chain.blocks().slice(1) };
};

describe('the transfers of blocks', () => {
  it('are read in order, many blocks to a request', async () => {
    const { node, headers } = blocksOf(100);
    const found = await readBlockTransfers(node, headers, [TOKEN]);
    expect(found.map(({ transfers }) => transfers.map(({ amount }) => amount))).toEqual(headers.map(({ number }) => [BigInt(number)]));
    expect(found.map(({ header }) => header)).toEqual(headers);
  });

  it('are of the first blocks when there are enough', async () => {
    const { node, headers } = blocksOf(100);
    const found = await readBlockTransfers(node, headers, [TOKEN], 20);
    expect(found.length).toBeGreaterThan(20);
    expect(found.length).toBeLessThan(100);
    expect(found.map(({ header }) => header)).toEqual(headers.slice(0, found.length));
  });

  it('are not taken for none when the node returns nothing about a block', async () => {
    const { node, headers } = blocksOf(3);
    const transfers: typeof node.transfers = async (hashes, contracts) => (await node.transfers(hashes, contracts)).slice(0, 2);
    await expect(readBlockTransfers({ transfers }, headers, [TOKEN])).rejects.toThrow('no transfers of block 3');
  });
});
