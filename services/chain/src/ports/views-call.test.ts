import type { Hex } from '@florin/evm/hex';
import { deployToken, describeOnEvm, type Evm, startEvm, type TestToken } from '@florin/evm/local-chain';
import { encodeFunctionData, erc20Abi } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJsonRpcChainNode } from './json-rpc-chain-node.ts';
import { createJsonRpcExecutionNode } from './json-rpc-execution-node.ts';
import { MAX_VIEWS, readViews, type ViewCall, viewsCall } from './views-call.ts';

const LONGEST: ViewCall = { to: `0x${'1'.repeat(40)}`, data: `0x${'2'.repeat(2 * 132)}` };
const word = (value: bigint): string => value.toString(16).padStart(64, '0');
/** The result of one view: a length plus one, and four words. */
const resultOf = (flag: bigint): Hex => `0x${word(flag)}${word(7n).repeat(4)}`;

describe('reading views', () => {
  it.each<[string, Hex, Hex | undefined]>([
    ['a word', resultOf(33n), `0x${word(7n)}`],
    ['nothing', resultOf(1n), '0x'],
    ['a view that failed', resultOf(0n), undefined],
    ['a result that is too long', resultOf(130n), undefined],
  ])('reads %s', (_name, result, expected) => {
    expect(readViews([LONGEST], result)).toEqual([expected]);
  });

  it('reads no result of another length', () => {
    expect(readViews([LONGEST, LONGEST], resultOf(33n))).toBeUndefined();
  });

  it('makes code that nodes accept, for as many views as one query takes', () => {
    const code = viewsCall(
      Array.from({ length: MAX_VIEWS }, () => LONGEST),
      200_000,
    );
    expect((code.length - 2) / 2).toBeLessThan(49_152);
  });
});

describeOnEvm('views of a node', { timeout: 120_000 }, () => {
  let evm: Evm;
  let token: TestToken;
  beforeAll(async () => {
    evm = await startEvm(100);
    token = await deployToken(evm);
  }, 120_000);
  afterAll(() => evm?.close());

  const dataOf = (functionName: 'balanceOf' | 'name' | 'decimals', args: readonly Hex[] = []) =>
    encodeFunctionData({ abi: erc20Abi, functionName, args } as Parameters<typeof encodeFunctionData>[0]);

  it('return the same together as alone, of each block, and one that fails stops no other', async () => {
    const node = createJsonRpcExecutionNode(evm.url);
    const holders = Array.from({ length: MAX_VIEWS + 5 }, (_, index): Hex => `0x${(index + 1).toString(16).padStart(40, '0')}`);
    const before = await evm.blockNumber();
    const paid = holders[3] as Hex;
    await token.pay(paid, 5n);
    const after = await evm.blockNumber();
    const balances = (block: number) =>
      Promise.all(holders.map((holder) => node.call(token.address, dataOf('balanceOf', [holder]), block)));
    const unknown = node.call(token.address, '0x12345678', after);
    const [then, now, name, nobody] = await Promise.all([
      balances(before),
      balances(after),
      // More than four words.
      node.call(token.address, dataOf('name'), after),
      node.call(`0x${'9'.repeat(40)}`, dataOf('decimals'), after),
      expect(unknown).rejects.toThrow('eth_call'),
    ]);
    expect(then.map(BigInt)).toEqual(holders.map(() => 0n));
    expect(now.map(BigInt)).toEqual(holders.map((holder) => (holder === paid ? 5n : 0n)));
    expect(name).toBe(await node.call(token.address, dataOf('name'), after));
    expect(nobody).toBe('0x');
  });

  it('are balances, of each block by its hash; a token that returns none fails, and no contract is a module', async () => {
    const [node, execution] = [createJsonRpcChainNode(evm.url), createJsonRpcExecutionNode(evm.url)];
    const nobody: Hex = `0x${'9'.repeat(40)}`;
    const holders = Array.from({ length: MAX_VIEWS + 5 }, (_, index): Hex => `0x${(index + 1).toString(16).padStart(40, '0')}`);
    const contract = token.address.toLowerCase() as Hex;
    const before = await execution.blockHash(await evm.blockNumber());
    await token.pay(holders[MAX_VIEWS + 1] as Hex, 7n);
    const after = await execution.blockHash(await evm.blockNumber());
    const holdings = holders.map((holder) => ({ contract, holder }));
    const [then, now] = await Promise.all([node.balances(before, holdings), node.balances(after, holdings)]);
    expect(now.map((balance, index) => balance - (then[index] ?? 0n))).toEqual(
      holders.map((_, index) => (index === MAX_VIEWS + 1 ? 7n : 0n)),
    );
    await expect(node.balances(after, [...holdings, { contract: nobody, holder: nobody }])).rejects.toThrow('returned no balance');
    await expect(node.balances(`0x${'1'.repeat(64)}`, holdings)).rejects.toThrow('eth_call');
    expect(await node.avatars(after, [contract, nobody])).toEqual([undefined, undefined]);
  });
});
