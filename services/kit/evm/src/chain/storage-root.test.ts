import fc from 'fast-check';
import { type Hex, pad, toHex } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEvm, type Evm, startEvm } from '../local-chain/index.ts';
import { storageRoot } from './storage-root.ts';

describeOnEvm('the storage root of a contract', { timeout: 180_000 }, () => {
  let evm: Evm;
  beforeAll(async () => {
    evm = await startEvm(100);
  }, 180_000);
  afterAll(() => evm?.close());

  const rootOnChain = async (words: readonly (readonly [Hex, Hex])[]): Promise<Hex> => {
    const address = privateKeyToAddress(generatePrivateKey());
    await evm.setCode(address, '0x00');
    for (const [slot, word] of words) await evm.rpc('hardhat_setStorageAt', [address, slot, pad(word)]);
    return ((await evm.rpc('eth_getProof', [address, [], 'latest'])) as { storageHash: Hex }).storageHash;
  };

  it('is that of the empty trie when nothing is stored', async () => {
    expect(storageRoot([])).toBe(await rootOnChain([]));
    expect(storageRoot([['0x01', '0x00']])).toBe(storageRoot([]));
  });

  it('has one word of a slot that is named twice', () => {
    expect(
      storageRoot([
        ['0x07', '0x01'],
        ['0x02', '0x05'],
        [pad('0x07'), '0x01'],
      ]),
    ).toBe(
      storageRoot([
        ['0x07', '0x01'],
        ['0x02', '0x05'],
      ]),
    );
  });

  it('is what a node proves, for any words', async () => {
    const word = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
    const words = fc.uniqueArray(
      fc.tuple(fc.oneof(fc.bigInt({ min: 0n, max: 300n }), word), fc.oneof(fc.bigInt({ min: 0n, max: 300n }), word)),
      {
        minLength: 1,
        maxLength: 40,
        selector: ([slot]) => slot,
      },
    );
    await fc.assert(
      fc.asyncProperty(words, async (found) => {
        const stored = found.map(([slot, value]) => [slot === 0n ? '0x0' : toHex(slot), toHex(value)] as const);
        expect(storageRoot(stored)).toBe(await rootOnChain(stored));
      }),
      { numRuns: 40 },
    );
  });
});
