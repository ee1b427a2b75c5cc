import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  keccak256,
  maxUint256,
  pad,
  parseAbi,
  toHex,
  zeroAddress,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deployToken, describeOnEvm, type Evm, GAS_BURNER, installCollector, startEvm, type TestToken } from '../local-chain/index.ts';
import { acceptTerms, COLLECTOR, COLLECTOR_ABI, DEPLOYER, encodeMovements, MOVEMENT_GAS, type Movement } from './collector.ts';

const MOVE_ONE = parseAbi([
  'struct Movement { address account; address token; uint96 amount; uint32 nonce; bool back; }',
  'function moveOne(address treasury, Movement movement)',
]);

const EXECUTION = parseAbi([
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) payable returns (bool)',
]);

const DAY_SECONDS = 86_400;
const LIMIT = 1000n;
const BATCH = 24;
const FAILED = keccak256(toHex('Failed(address,address,address,uint96,uint32,bool)'));
/** Returns false: `mstore(0, 0); return(0, 32)`. */
const FALSE_TOKEN: Hex = '0x600060005260206000f3';

describeOnEvm('the Collector', { timeout: 180_000 }, () => {
  let evm: Evm;
  let token: TestToken;
  /** The treasury and its operator: funded accounts of the node. */
  let [treasury, operator, stranger]: Address[] = [];
  const owner = privateKeyToAccount(generatePrivateKey());

  const sendAs = async (from: Address | undefined, { to, data }: { to: Address; data: Hex }, gas = 6_000_000n) => {
    const hash = await evm.rpc<Hex>('eth_sendTransaction', [{ from, to, data, gas: toHex(gas) }]);
    return evm.rpc<{ gasUsed: Hex; logs: { topics: Hex[] }[] }>('eth_getTransactionReceipt', [hash]);
  };
  const call = (functionName: 'setOperator' | 'setLimit' | 'resign', args: readonly unknown[]) => ({
    to: COLLECTOR.address,
    data: encodeFunctionData({ abi: COLLECTOR_ABI, functionName, args } as Parameters<typeof encodeFunctionData>[0]),
  });
  const moveAs = (from: Address | undefined, ...movements: Movement[]) => sendAs(from, encodeMovements(treasury as Address, movements));
  const taking = (account: Address, amount: bigint, nonce: number, more: Partial<Movement> = {}): Movement => ({
    account,
    token: token.address,
    amount,
    nonce,
    back: false,
    ...more,
  });

  let salt = 0n;
  /** A Safe that holds tokens and has accepted a limit. */
  const newAccount = async (balance = 10_000n): Promise<Address> => {
    salt += 1n;
    const safe = await evm.deploySafe([owner.address], 1, salt);
    await token.pay(safe, balance);
    const terms = { treasury: treasury as Address, limits: [{ token: token.address, perDay: LIMIT.toString() }] };
    for (const one of acceptTerms(terms)) await evm.executeFromSafe(safe, owner, one);
    return safe;
  };
  const balances = async (account: Address) => [await token.balanceOf(account), await token.balanceOf(treasury as Address)];
  /** Returns the amount that a batch has moved from an account to the treasury. */
  const movedBy = async (account: Address, work: () => Promise<unknown>): Promise<bigint> => {
    const [before, received] = await balances(account);
    await work();
    const [after, receivedAfter] = await balances(account);
    expect((receivedAfter ?? 0n) - (received ?? 0n)).toBe((before ?? 0n) - (after ?? 0n));
    return (before ?? 0n) - (after ?? 0n);
  };
  const inTransaction = async (time: number): Promise<void> => {
    await evm.rpc('evm_setNextBlockTimestamp', [time]);
  };
  const now = async () => Number((await evm.rpc<{ timestamp: Hex }>('eth_getBlockByNumber', ['latest', false])).timestamp);

  beforeAll(async () => {
    evm = await startEvm(100);
    [, treasury, operator, stranger] = await evm.rpc<Address[]>('eth_accounts');
    token = await deployToken(evm);
    await installCollector(evm);
    await sendAs(treasury, call('setOperator', [operator, true]));
    await sendAs(treasury, {
      to: token.address,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [COLLECTOR.address, maxUint256] }),
    });
  }, 180_000);
  afterAll(() => evm?.close());

  it('is deployed at the pinned address with the pinned code', async () => {
    for (const { address, codeHash } of [DEPLOYER, COLLECTOR])
      expect(keccak256(await evm.rpc<Hex>('eth_getCode', [address, 'latest']))).toBe(codeHash);
  });

  it('collects from 24 accounts, at less than 90,000 gas each', async () => {
    const accounts: Address[] = [];
    for (let count = 0; count < BATCH; count += 1) accounts.push(await newAccount());
    for (const [nonce, most] of [60_000n, 45_000n].entries()) {
      const receipt = await moveAs(operator, ...accounts.map((account) => taking(account, 10n, nonce)));
      const [last] = await Promise.all(accounts.slice(-1).map(token.balanceOf));
      expect(last).toBe(10_000n - 10n * BigInt(nonce + 1));
      expect(BigInt(receipt.gasUsed) / BigInt(BATCH)).toBeLessThan(most);
    }
  });

  it('makes each movement once, whatever is sent again', async () => {
    const account = await newAccount();
    const again = taking(account, 100n, 0);
    expect(await movedBy(account, () => moveAs(operator, again, again, taking(account, 70n, 0)))).toBe(100n);
    expect(await movedBy(account, () => moveAs(operator, again, taking(account, 70n, 2)))).toBe(0n);
    expect(await movedBy(account, () => moveAs(operator, taking(account, 70n, 1)))).toBe(70n);
  });

  it('takes at most the limit in a day, and again as much on the next', async () => {
    const account = await newAccount();
    const start = (Math.floor((await now()) / DAY_SECONDS) + 1) * DAY_SECONDS;
    await inTransaction(start + 100);
    expect(await movedBy(account, () => moveAs(operator, taking(account, LIMIT + 1n, 0), taking(account, 600n, 0)))).toBe(600n);
    await inTransaction(start + DAY_SECONDS - 1);
    expect(await movedBy(account, () => moveAs(operator, taking(account, 401n, 1), taking(account, 400n, 1)))).toBe(400n);
    await inTransaction(start + DAY_SECONDS);
    expect(await movedBy(account, () => moveAs(operator, taking(account, LIMIT, 2), taking(account, 1n, 3)))).toBe(LIMIT);
  });

  it('goes on with the others when a movement fails, runs out of gas, or its token lies', async () => {
    const [good, poor, last] = [await newAccount(), await newAccount(5n), await newAccount()];
    const [burner, liar, nobody] = (['b1', 'b2', 'b3'] as const).map((end): Address => `0x${'00'.repeat(19)}${end}`) as [
      Address,
      Address,
      Address,
    ];
    await evm.setCode(burner, GAS_BURNER);
    await evm.setCode(liar, FALSE_TOKEN);
    for (const one of [burner, liar, nobody]) await evm.executeFromSafe(good, owner, call('setLimit', [treasury, one, LIMIT]));
    const hostile = [burner, liar, nobody].map((one) => taking(good, 1n, 0, { token: one }));
    const movements = [...hostile, taking(poor, 6n, 0), taking(good, 3n, 0), taking(last, 4n, 0)];
    const movement = async () => {
      const { logs } = await sendAs(operator, encodeMovements(treasury as Address, movements), MOVEMENT_GAS * 6n + 50_000n);
      expect(logs.filter(({ topics: [topic] }) => topic === FAILED)).toHaveLength(4);
    };
    const [, received = 0n] = await balances(good);
    await movement();
    expect(await balances(good)).toEqual([9997n, received + 7n]);
    expect([await token.balanceOf(last), await token.balanceOf(poor)]).toEqual([9996n, 5n]);
  });

  it('stops as a whole when it has too little gas for a movement: nothing fails because of that', async () => {
    const account = await newAccount();
    await expect(sendAs(operator, encodeMovements(treasury as Address, [taking(account, 1n, 0)]), 200_000n)).rejects.toThrow();
    expect(await token.balanceOf(account)).toBe(10_000n);
  });

  it('moves nothing for anyone but an operator of the treasury, and nothing of a token without a limit', async () => {
    const account = await newAccount();
    await expect(moveAs(stranger, taking(account, 1n, 0))).rejects.toThrow();
    await sendAs(stranger, call('setOperator', [stranger, true]));
    const toStranger = encodeMovements(stranger as Address, [taking(account, 1n, 0)]);
    expect(await movedBy(account, () => sendAs(stranger, toStranger))).toBe(0n);
    const one = { account, token: token.address, amount: 1n, nonce: 0, back: false };
    const direct = encodeFunctionData({ abi: MOVE_ONE, args: [treasury as Address, one] });
    await expect(sendAs(operator, { to: COLLECTOR.address, data: direct })).rejects.toThrow();
    const other = await deployToken(evm);
    await other.pay(account, 50n);
    await evm.executeFromSafe(account, owner, {
      to: other.address,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [COLLECTOR.address, maxUint256] }),
    });
    await moveAs(operator, taking(account, 1n, 0, { token: other.address }));
    expect(await other.balanceOf(account)).toBe(50n);
  });

  it('moves nothing for a contract that delegates to it, with a record of its own', async () => {
    const account = await newAccount();
    // EIP-1167: whatever it is called with, it has the Collector's code carry out on its own storage.
    const thief: Address = `0x${'00'.repeat(19)}b4`;
    await evm.setCode(thief, `0x363d3d373d3d3d363d73${COLLECTOR.address.slice(2)}5af43d82803e903d91602b57fd5bf3`);
    const slotOf = (key: Address, slot: Hex): Hex =>
      keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'bytes32' }], [key, slot]));
    const record = [account, stranger as Address, token.address].reduce((slot, key) => slotOf(key, slot), pad('0x0'));
    await evm.rpc('hardhat_setStorageAt', [thief, record, pad(toHex(LIMIT))]);
    await sendAs(stranger, { ...call('setOperator', [stranger, true]), to: thief });
    const { data } = encodeMovements(stranger as Address, [taking(account, 1n, 0)]);
    const { logs } = await sendAs(stranger, { to: thief, data });
    expect(logs.map(({ topics: [topic] }) => topic)).toEqual([FAILED]);
    expect([await token.balanceOf(account), await token.balanceOf(stranger as Address)]).toEqual([10_000n, 0n]);
  });

  it('is not reached by a transaction that was signed for another chain', async () => {
    const account = await newAccount();
    const signer = privateKeyToAccount(generatePrivateKey());
    await evm.rpc('hardhat_setBalance', [signer.address, '0xde0b6b3a7640000']);
    await sendAs(treasury, call('setOperator', [signer.address, true]));
    const transaction = {
      ...encodeMovements(treasury as Address, [taking(account, 1n, 0)]),
      gas: 500_000n,
      maxFeePerGas: 10n ** 11n,
    } as const;
    const signed = (chainId: number) =>
      signer.signTransaction({ ...transaction, type: 'eip1559', maxPriorityFeePerGas: 0n, nonce: 0, chainId });
    await expect(evm.rpc('eth_sendRawTransaction', [await signed(1)])).rejects.toThrow(/chain/i);
    const here = await signed(100);
    expect(await movedBy(account, () => evm.rpc('eth_sendRawTransaction', [here]))).toBe(1n);
  });

  it('is allowed nothing more by a Safe for which a forged signer says yes', async () => {
    const account = await newAccount();
    // Answers every call with the magic value of the signatures of contracts that Safe 1.4.1 asks for.
    const signer: Address = `0x${'00'.repeat(19)}b5`;
    await evm.setCode(signer, '0x6320c13b0b60e01b60005260206000f3');
    const ofContract = `0x${'00'.repeat(12)}${signer.slice(2)}${'41'.padStart(64, '0')}00${'00'.repeat(32)}` as const;
    const approvedBefore = `0x${'00'.repeat(12)}${owner.address.slice(2)}${'00'.repeat(32)}01` as const;
    const { to, data } = call('setLimit', [stranger, token.address, LIMIT]);
    for (const signatures of [ofContract, approvedBefore]) {
      const args = [to, 0n, data, 0, 0n, 0n, 0n, zeroAddress, zeroAddress, signatures] as const;
      const execution = encodeFunctionData({ abi: EXECUTION, args });
      await expect(sendAs(stranger, { to: account, data: execution })).rejects.toThrow(/GS02/);
    }
  });

  it('returns what it has collected, and no more', async () => {
    const account = await newAccount();
    const back = (amount: bigint, nonce: number) => taking(account, amount, nonce, { back: true });
    expect(await movedBy(account, () => moveAs(operator, back(1n, 0), taking(account, 100n, 0), back(101n, 1)))).toBe(100n);
    expect(await movedBy(account, () => moveAs(operator, back(60n, 1), back(60n, 1), back(41n, 2)))).toBe(-60n);
    expect(await movedBy(account, () => moveAs(operator, back(40n, 2), back(1n, 3)))).toBe(-40n);
    // The one who has an operator's key can send the treasury's money to nobody from whom it was not collected.
    await sendAs(stranger, call('setLimit', [treasury, token.address, LIMIT]));
    await moveAs(operator, taking(stranger as Address, 1n, 0, { back: true }));
    expect(await token.balanceOf(stranger as Address)).toBe(0n);
  });

  it('obeys an operator no more that has resigned or was removed, until the treasury takes it back', async () => {
    const account = await newAccount();
    for (const end of [
      () => sendAs(operator, call('resign', [treasury])),
      () => sendAs(treasury, call('setOperator', [operator, false])),
    ]) {
      await end();
      await expect(moveAs(operator, taking(account, 1n, 0))).rejects.toThrow();
      await expect(moveAs(operator, taking(account, 1n, 0))).rejects.toThrow();
      await sendAs(treasury, call('setOperator', [operator, true]));
    }
    expect(await movedBy(account, () => moveAs(operator, taking(account, 1n, 0)))).toBe(1n);
  });
});
