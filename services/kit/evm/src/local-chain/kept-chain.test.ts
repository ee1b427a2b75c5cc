import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Address, encodeFunctionData, erc20Abi, type Hex, parseGwei, toHex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { describeOnEvm } from './describe-on-evm.ts';
import { ChainJournalError, KeptChain } from './kept-chain.ts';

const TOKEN = { symbol: 'USDC.e', decimals: 6, address: '0x2a22f9c3b484c3629090feed35f17ff8f88f76f0' } as const;
const SETTINGS = { chainId: 100, tokens: [TOKEN] };

describeOnEvm('a chain that survives its process', { timeout: 180_000 }, () => {
  let directory: string;
  let file: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'florin-kept-chain-'));
    file = join(directory, 'journal.jsonl');
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  const newest = (chain: KeptChain) => chain.read<{ number: Hex; hash: Hex }>('eth_getBlockByNumber', ['latest', false]);
  const balanceOf = async (chain: KeptChain, owner: Address): Promise<bigint> => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner] });
    return BigInt(await chain.read<Hex>('eth_call', [{ to: TOKEN.address, data }, 'latest']));
  };
  const pay = (chain: KeptChain, to: Address, amount: bigint): Promise<Hex> =>
    chain.send({
      from: chain.faucet,
      to: TOKEN.address,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
    });

  it('has the same blocks and balances when it is opened again', async () => {
    const first = await KeptChain.open(file, SETTINGS);
    const person = privateKeyToAccount(generatePrivateKey());
    await first.send({ from: first.faucet, to: person.address, value: toHex(10n ** 18n) });
    await pay(first, person.address, 5n);
    await first.mine();
    const signed = (to: Address, nonce: number) =>
      person.signTransaction({
        chainId: 100,
        type: 'eip1559',
        nonce,
        to: TOKEN.address,
        data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, 2n] }),
        gas: 100_000n,
        maxFeePerGas: parseGwei('100'),
        maxPriorityFeePerGas: 1n,
      });
    await first.broadcast(await signed(first.treasury, 0));
    await expect(first.broadcast(await signed(first.treasury, 0))).rejects.toThrow('already known');
    // One that the node rejects, and one that reverts, are parts of the story too.
    await expect(first.broadcast('0x02')).rejects.toThrow();
    await expect(pay(first, person.address, 10n ** 30n)).rejects.toThrow();
    const before = await newest(first);
    await first.close();

    const second = await KeptChain.open(file, { chainId: 100, tokens: [] });
    expect(await newest(second)).toEqual(before);
    expect([await balanceOf(second, person.address), await balanceOf(second, second.treasury)]).toEqual([3n, 2n]);
    await pay(second, person.address, 1n);
    await second.close();
    const third = await KeptChain.open(file, SETTINGS);
    expect(await balanceOf(third, person.address)).toBe(4n);
    await third.close();
  });

  it('makes a change that was in the journal when it was killed, and leaves out one whose line was cut', async () => {
    const first = await KeptChain.open(file, SETTINGS);
    await pay(first, first.treasury, 5n);
    await first.close();
    // The last line was written, and not carried out before the kill; another one was cut.
    await appendFile(file, '{"at":12');
    const second = await KeptChain.open(file, SETTINGS);
    expect(await balanceOf(second, second.treasury)).toBe(5n);
    await pay(second, second.treasury, 2n);
    await second.close();
    const third = await KeptChain.open(file, SETTINGS);
    expect(await balanceOf(third, third.treasury)).toBe(7n);
    await third.close();
  });

  it('is not opened with a journal that leads to other blocks, or is that of another chain', async () => {
    const first = await KeptChain.open(file, SETTINGS);
    await pay(first, first.treasury, 5n);
    await pay(first, first.treasury, 5n);
    await first.close();
    const text = await readFile(file, 'utf8');
    await expect(KeptChain.open(file, { ...SETTINGS, chainId: 1 })).rejects.toThrow(ChainJournalError);
    const lines = text.split('\n');
    await writeFile(file, [lines[0], ...lines.slice(2)].join('\n'));
    await expect(KeptChain.open(file, SETTINGS)).rejects.toThrow(ChainJournalError);
  });
});
