import fc from 'fast-check';
import { type Address, encodeFunctionData, erc20Abi, type Hex, maxUint256 } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deployToken, describeOnEvm, type Evm, installCollector, startEvm, type TestToken } from '../local-chain/index.ts';
import { COLLECTOR, COLLECTOR_ABI, encodeMovements } from './collector.ts';

const DAY_SECONDS = 86_400;
const START = 1000n;
const LIMIT = 400n;
/** The token that takes part and moves nothing: `mstore(0, 0); return(0, 32)`. */
const FALSE_TOKEN: Hex = '0x600060005260206000f3';
const LIAR: Address = `0x${'00'.repeat(19)}b2`;

const pick = fc.constantFrom(0, 1);
const anyToken = fc.constantFrom(0, 0, 1, 2);
const amount = fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 0, max: 150 }) }, { weight: 1, arbitrary: fc.constantFrom(500, 1001) });
const movement = fc.record({
  account: pick,
  token: anyToken,
  amount,
  late: fc.constantFrom(0, 0, 0, 1, -1),
  back: fc.constantFrom(false, false, true),
});
const order = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      treasury: pick,
      movements: fc.array(movement, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('steal' as const),
      treasury: pick,
      movements: fc.array(movement, { minLength: 1, maxLength: 2 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('limit' as const),
      treasury: pick,
      account: pick,
      token: anyToken,
      limit: fc.constantFrom(0, 150, 400),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('day' as const) }) },
);

type Order = typeof order extends fc.Arbitrary<infer T> ? T : never;

/** The Collector's record of an account, a treasury and a token, as it is to be. */
type Record = { limit: bigint; spent: bigint; day: number; nonce: number; collected: bigint };

describeOnEvm('the Collector, whatever is asked of it in whatever order', { timeout: 180_000 }, () => {
  let evm: Evm;
  let accounts: Address[] = [];
  let treasuries: Address[] = [];
  let tokens: Address[] = [];
  let real: TestToken[] = [];
  let [operator, thief]: Address[] = [];

  const sendAs = (from: Address | undefined, { to, data }: { to: Address; data: Hex }) =>
    evm.rpc<Hex>('eth_sendTransaction', [{ from, to, data, gas: '0x200000' }]);
  const call = (functionName: 'setOperator' | 'setLimit', args: readonly unknown[]) => ({
    to: COLLECTOR.address,
    data: encodeFunctionData({ abi: COLLECTOR_ABI, functionName, args } as Parameters<typeof encodeFunctionData>[0]),
  });

  beforeAll(async () => {
    evm = await startEvm(100);
    const [, , one, two, three, four, five, six] = await evm.rpc<Address[]>('eth_accounts');
    [operator, thief] = [five, six] as [Address, Address];
    accounts = [one as Address, two as Address];
    treasuries = [three as Address, four as Address];
    real = [await deployToken(evm), await deployToken(evm)];
    tokens = [...real.map(({ address }) => address), LIAR];
    await evm.setCode(LIAR, FALSE_TOKEN);
    await installCollector(evm);
    const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [COLLECTOR.address, maxUint256] });
    for (const token of real) {
      for (const account of accounts) await token.pay(account, START);
      for (const holder of [...accounts, ...treasuries]) await sendAs(holder, { to: token.address, data: approve });
    }
    for (const treasury of treasuries) {
      await sendAs(treasury, call('setOperator', [operator, true]));
      for (const account of accounts) for (const token of tokens) await sendAs(account, call('setLimit', [treasury, token, LIMIT]));
    }
  }, 180_000);
  afterAll(() => evm?.close());

  it('moves what a model of it moves, and nothing else', async () => {
    let [moved, refused] = [0, 0];
    const runOrders = async (orders: readonly Order[]): Promise<void> => {
      const records = new Map<string, Record>();
      const balances = new Map<string, bigint>(accounts.flatMap((one) => real.map((token) => [`${one} ${token.address}`, START])));
      const recordOf = (account: Address, treasury: Address, token: Address): Record => {
        const key = `${account} ${treasury} ${token}`;
        const found = records.get(key) ?? { limit: LIMIT, spent: 0n, day: 0, nonce: 0, collected: 0n };
        records.set(key, found);
        return found;
      };
      const balanceOf = (holder: Address, token: Address): bigint => balances.get(`${holder} ${token}`) ?? 0n;
      let day =
        Math.floor(Number((await evm.rpc<{ timestamp: Hex }>('eth_getBlockByNumber', ['latest', false])).timestamp) / DAY_SECONDS) + 1;
      await evm.rpc('evm_setNextBlockTimestamp', [day * DAY_SECONDS]);
      for (const step of orders) {
        if (step.do === 'day') {
          day += 1;
          await evm.rpc('evm_setNextBlockTimestamp', [day * DAY_SECONDS]);
          await evm.mine();
          continue;
        }
        const treasury = treasuries[step.treasury] as Address;
        if (step.do === 'limit') {
          const [account, token] = [accounts[step.account] as Address, tokens[step.token] as Address];
          await sendAs(account, call('setLimit', [treasury, token, BigInt(step.limit)]));
          recordOf(account, treasury, token).limit = BigInt(step.limit);
          continue;
        }
        const movements = step.movements.map(({ account: whose, token: which, amount: value, late, back }) => {
          const [account, token] = [accounts[whose] as Address, tokens[which] as Address];
          const { nonce } = recordOf(account, treasury, token);
          return { account, token, amount: BigInt(value), nonce: Math.max(0, nonce + late), back };
        });
        if (step.do === 'steal') {
          await expect(sendAs(thief, encodeMovements(treasury, movements))).rejects.toThrow();
          continue;
        }
        await sendAs(operator, encodeMovements(treasury, movements));
        for (const { account, token, amount: value, nonce, back } of movements) {
          const record = recordOf(account, treasury, token);
          const spent = record.day === day ? record.spent : 0n;
          const [from, to] = back ? [treasury, account] : [account, treasury];
          const isAllowed = back ? value <= record.collected : spent + value <= record.limit;
          if (nonce !== record.nonce || !isAllowed || token === LIAR || value > balanceOf(from, token)) {
            refused += 1;
            continue;
          }
          moved += 1;
          record.nonce += 1;
          record.collected += back ? -value : value;
          if (!back) [record.day, record.spent] = [day, spent + value];
          balances.set(`${from} ${token}`, balanceOf(from, token) - value);
          balances.set(`${to} ${token}`, balanceOf(to, token) + value);
        }
      }
      const view = (functionName: 'allowances' | 'collected', args: readonly Address[]) => {
        const data = encodeFunctionData({ abi: COLLECTOR_ABI, functionName, args } as Parameters<typeof encodeFunctionData>[0]);
        return evm.rpc<Hex>('eth_call', [{ to: COLLECTOR.address, data }, 'latest']);
      };
      const words = (text: Hex): bigint[] => (text.slice(2).match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`));
      for (const [key, { limit, spent, day: on, nonce, collected }] of records) {
        const args = key.split(' ') as Address[];
        expect(words(await view('allowances', args))).toEqual([limit, spent, BigInt(on), BigInt(nonce)]);
        expect(words(await view('collected', args))).toEqual([collected]);
      }
      for (const token of real)
        for (const holder of [...accounts, ...treasuries]) expect(await token.balanceOf(holder)).toBe(balanceOf(holder, token.address));
    };
    await fc.assert(
      fc.asyncProperty(fc.array(order, { minLength: 10, maxLength: 25, size: 'max' }), async (orders) => {
        const snapshot = await evm.rpc<Hex>('evm_snapshot');
        await runOrders(orders).finally(() => evm.rpc('evm_revert', [snapshot]));
      }),
      { numRuns: 12 },
    );
    expect(Math.min(moved, refused)).toBeGreaterThan(50);
  });
});
