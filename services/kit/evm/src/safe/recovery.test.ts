import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEvm, type Evm, installModules, startEvm } from '../local-chain/index.ts';
import { signSafeTransaction } from '../testing/index.ts';
import { type DelaySettings, encodeDelayDeployment, predictDelayModule } from './delay-module.ts';
import { DELAY_1_0_1 } from './deployments.ts';
import {
  cancellationTransaction,
  encodeExchange,
  encodeRecoverySafeDeployment,
  exchangeCall,
  exitAfterExchange,
  exitWithBackup,
  namingTransaction,
  recoverySafe,
  requestTransaction,
} from './recovery.ts';
import { predictSafeAddress } from './safe-address.ts';
import { type ContractCall, encodeMultiSend } from './safe-call.ts';
import { encodeSafeDeployment, setUpTransaction } from './safe-set-up.ts';
import { encodeExecution, type SafeTransaction } from './safe-transaction.ts';

const CHAIN_ID = 100;
const HOUR = 3600;
const SENTINEL: Address = '0x0000000000000000000000000000000000000001';

const ABI = parseAbi([
  'function getOwners() view returns (address[])',
  'function nonce() view returns (uint256)',
  'function setTxNonce(uint256 nonce)',
  'function enableModule(address module)',
  'function disableModule(address prevModule, address module)',
  'function swapOwner(address prevOwner, address oldOwner, address newOwner)',
  'function removeOwner(address prevOwner, address owner, uint256 threshold)',
  'function execTransactionFromModule(address to, uint256 value, bytes data, uint8 operation)',
  'function executeNextTx(address to, uint256 value, bytes data, uint8 operation)',
]);
const encode = (functionName: (typeof ABI)[number]['name'], args: readonly unknown[] = []): Hex =>
  encodeFunctionData({ abi: ABI, functionName, args } as never);

const newKey = () => privateKeyToAccount(generatePrivateKey());
const delayOf = (hours: number, expirationHours: number): DelaySettings => ({
  mastercopy: DELAY_1_0_1,
  cooldownSeconds: hours * HOUR,
  expirationSeconds: expirationHours * HOUR,
});

/** The contracts that decision 15 relies on are pinned already; none is ours. */
describeOnEvm('the exchange of a lost owner by a backup key and the platform', { timeout: 180_000 }, () => {
  let evm: Evm;
  beforeAll(async () => {
    evm = await startEvm(CHAIN_ID);
    await installModules(evm);
  }, 180_000);
  afterAll(() => evm?.close());

  /** Has a Safe make a call that these keys have signed, or call all of several by delegation. */
  const execute = async (safe: Address, keys: readonly PrivateKeyAccount[], call: ContractCall, operation: 0 | 1 = 0): Promise<void> => {
    const nonce = BigInt(await evm.read(safe, encode('nonce')));
    const transaction: SafeTransaction = { chainId: CHAIN_ID, safe, ...call, operation, safeTxGas: 0n, nonce };
    await evm.send(safe, encodeExecution(transaction, await signSafeTransaction(transaction, keys)).data);
  };
  const sendAs = async ({ address }: PrivateKeyAccount, to: Address, data: Hex): Promise<void> => {
    await evm.rpc('hardhat_setBalance', [address, '0xde0b6b3a7640000']);
    await evm.rpc('hardhat_impersonateAccount', [address]);
    await evm.rpc('eth_sendTransaction', [{ from: address, to, data, gas: '0x4c4b40' }]);
  };
  const pass = async (hours: number): Promise<void> => {
    await evm.rpc('evm_increaseTime', [hours * HOUR]);
    await evm.mine();
  };
  const deployDelay = async (safe: Address, settings: DelaySettings): Promise<Address> => {
    const { to, data } = encodeDelayDeployment(safe, settings);
    await evm.send(to, data);
    return predictDelayModule(safe, settings);
  };

  /** The Safe of a person who has named a backup key, with the exit of before, or with a longer one in its place. */
  const newAccount = async (exitHours: 25 | 73) => {
    const [owner, platform, backup, replacement] = [newKey(), newKey(), newKey(), newKey()];
    const accountId = crypto.randomUUID();
    const safe = predictSafeAddress(accountId, [owner.address, platform.address]);
    const parties = { chainId: CHAIN_ID, accountId, safe, owner: owner.address, platform: platform.address };
    const { to, data } = encodeSafeDeployment(parties);
    await evm.send(to, data);
    await deployDelay(safe, delayOf(25, 31));
    const { to: target, data: setUp, operation } = setUpTransaction(parties, delayOf(25, 31), 0n);
    await execute(safe, [owner, platform], { to: target, data: setUp }, operation);

    const backupKey = { address: backup.address, delay: delayOf(48, 168) };
    const pair = recoverySafe(parties, backup.address);
    const deployment = encodeRecoverySafeDeployment(parties, backup.address);
    await evm.send(deployment.to, deployment.data);
    const recovery = await deployDelay(safe, backupKey.delay);
    const delay = exitHours === 25 ? delayOf(25, 32) : exitWithBackup(delayOf(25, 31), backupKey.delay);
    const control = { owner: owner.address, delay, backup: backupKey };
    const exit = await deployDelay(safe, delay);
    const { to: batch, data: naming } = namingTransaction(parties, delayOf(25, 31), control, 1n);
    await execute(safe, [owner, platform], { to: batch, data: naming }, 1);

    const nextExit = await deployDelay(safe, exitAfterExchange(delay));
    const exchange: ContractCall = exchangeCall({ ...parties, firstOwner: owner.address }, control, replacement.address);
    const takeOver = encodeMultiSend([
      { to: safe, data: encode('disableModule', [exit, recovery]) },
      { to: safe, data: encode('removeOwner', [owner.address, platform.address, 1n]) },
    ]);
    /** Requests an exit with the owner's key. */
    const request = (call: ContractCall, operation: 0 | 1) =>
      sendAs(owner, exit, encode('execTransactionFromModule', [call.to, 0n, call.data, operation]));
    const finish = (module: Address, call: ContractCall, operation: 0 | 1) =>
      evm.send(module, encode('executeNextTx', [call.to, 0n, call.data, operation]));
    const requestOf = (call: ContractCall): ContractCall => requestTransaction(parties, backup.address, { module: recovery, ...call }, 0n);
    return {
      keys: { owner, platform, backup, replacement },
      safe,
      exit,
      nextExit,
      recovery,
      pair,
      exchange,
      requestOf,
      request,
      finish,
      begin: (call = exchange) => execute(pair, [backup, platform], requestOf(call)),
      exchangeOwner: async (call = exchange) => {
        const { to: module, data: next } = encodeExchange({ ...call, module: recovery });
        await evm.send(module, next);
      },
      /** The exit of a thief. */
      requestTakeOver: () => request(takeOver, 1),
      takeOver: () => finish(exit, takeOver, 1),
      isOwner: async ({ address }: PrivateKeyAccount): Promise<boolean> =>
        (await evm.read(safe, encode('getOwners'))).includes(address.slice(2).toLowerCase()),
    };
  };

  it('comes too late for a thief whose exit takes 25 hours', async () => {
    const { keys, begin, exchangeOwner, requestTakeOver, takeOver, isOwner } = await newAccount(25);
    await requestTakeOver();
    await begin();
    await pass(26);
    await takeOver();
    await pass(23);
    await expect(exchangeOwner()).rejects.toThrow();
    expect([await isOwner(keys.owner), await isOwner(keys.platform)]).toEqual([true, false]);
  });

  it('takes an account from a thief whose exit takes 73 hours, whatever the thief requests', async () => {
    const { keys, safe, exit, nextExit, begin, exchangeOwner, requestTakeOver, takeOver, isOwner } = await newAccount(73);
    await requestTakeOver();
    await pass(24);
    await begin();
    await requestTakeOver();
    await expect(exchangeOwner()).rejects.toThrow();
    await pass(48);
    await exchangeOwner();
    expect([await isOwner(keys.owner), await isOwner(keys.replacement)]).toEqual([false, true]);
    await pass(2);
    // The Safe does not obey the former module any more, nor the new one the former owner.
    await expect(takeOver()).rejects.toThrow();
    const anything = encode('execTransactionFromModule', [safe, 0n, '0x', 0]);
    await expect(sendAs(keys.owner, nextExit, anything)).rejects.toThrow();
    await sendAs(keys.replacement, nextExit, anything);
    await expect(sendAs(keys.replacement, exit, anything)).rejects.toThrow();
  });

  it('is requested by the two together, and stopped by owner and platform together, and by nobody else', async () => {
    const { keys, safe, recovery, pair, exchange, requestOf, begin, exchangeOwner } = await newAccount(73);
    const { owner, platform, backup } = keys;
    for (const key of [owner, platform, backup]) await expect(sendAs(key, recovery, requestOf(exchange).data)).rejects.toThrow();
    for (const some of [[backup], [platform], [backup, owner], [platform, owner]])
      await expect(execute(pair, some, requestOf(exchange))).rejects.toThrow();
    await begin();
    const { to, data } = cancellationTransaction({ chainId: CHAIN_ID, safe }, recovery, 1n, 0n);
    const stop = { to, data };
    for (const key of [owner, platform, backup]) await expect(sendAs(key, recovery, stop.data)).rejects.toThrow();
    await expect(execute(pair, [backup, platform], stop)).rejects.toThrow();
    for (const some of [[owner], [platform], [owner, backup], [platform, backup]])
      await expect(execute(safe, some, stop)).rejects.toThrow();
    await execute(safe, [owner, platform], stop);
    await pass(49);
    await expect(exchangeOwner()).rejects.toThrow();
  });

  it('would be prevented by a thief if it skipped the requests of the exit by their number', async () => {
    const { keys, safe, exit, begin, exchangeOwner, request, finish } = await newAccount(25);
    const harmless = { to: safe, data: '0x' } as const;
    await request(harmless, 0);
    const skipping = encodeMultiSend([
      { to: safe, data: encode('swapOwner', [SENTINEL, keys.owner.address, keys.replacement.address]) },
      { to: exit, data: encode('setTxNonce', [1n]) },
    ]);
    await begin(skipping);
    await pass(26);
    await finish(exit, harmless, 0);
    await pass(23);
    await expect(exchangeOwner(skipping)).rejects.toThrow();
  });
});
