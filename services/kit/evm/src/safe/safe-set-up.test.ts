import { type Address, encodeFunctionData, getContractAddress, type Hex, keccak256, parseAbi } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEvm, type Evm, installModules, startEvm } from '../local-chain/index.ts';
import zodiac from '../local-chain/zodiac-contracts.json' with { type: 'json' };
import { signSafeTransaction } from '../testing/index.ts';
import { encodeDelayDeployment, moduleProxyCodeHash, predictDelayModule } from './delay-module.ts';
import { DELAY_1_0_1, MODULE_PROXY_FACTORY, SAFE_CONTRACTS, SAFE_PROXY_CODE_HASH } from './deployments.ts';
import { predictSafeAddress } from './safe-address.ts';
import { encodeMultiSend } from './safe-call.ts';
import { encodeSafeDeployment, setUpTransaction } from './safe-set-up.ts';
import { encodeExecution, type SafeTransaction, safeTransactionHash, safeTypedData } from './safe-transaction.ts';

const CHAIN_ID = 100;
const SETTINGS = { mastercopy: DELAY_1_0_1, cooldownSeconds: 3600, expirationSeconds: 600 };
const ACCOUNT_ID = '01890a5d-ac96-774b-bcce-b302099a8057';

const VIEW = parseAbi([
  'function getOwners() view returns (address[])',
  'function nonce() view returns (uint256)',
  'function getTransactionHash(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, uint256 _nonce) view returns (bytes32)',
  'function execTransactionFromModule(address to, uint256 value, bytes data, uint8 operation)',
  'function executeNextTx(address to, uint256 value, bytes data, uint8 operation)',
]);

const newKey = () => privateKeyToAccount(generatePrivateKey());

describeOnEvm('the set-up of a Safe', { timeout: 180_000 }, () => {
  let evm: Evm;
  beforeAll(async () => {
    evm = await startEvm(CHAIN_ID);
    await installModules(evm);
  }, 180_000);
  afterAll(() => evm?.close());

  const newParties = () => {
    const [owner, platform] = [newKey(), newKey()];
    const safe = predictSafeAddress(ACCOUNT_ID, [owner.address]);
    return {
      owner,
      platform,
      parties: { chainId: CHAIN_ID, accountId: ACCOUNT_ID, safe, owner: owner.address, platform: platform.address },
    };
  };
  const codeHashAt = async (address: Address) => keccak256(await evm.rpc<Hex>('eth_getCode', [address, 'latest']));

  /** A Safe that is deployed and set up in one transaction. */
  const deployed = async () => {
    const made = newParties();
    const setUp = setUpTransaction(made.parties, SETTINGS, 0n);
    const batch = encodeMultiSend([
      encodeSafeDeployment(made.parties),
      encodeDelayDeployment(made.parties.safe, SETTINGS),
      encodeExecution(setUp, await signSafeTransaction(setUp, [made.owner])),
    ]);
    await evm.send(batch.to, batch.data);
    return { ...made, safe: made.parties.safe };
  };
  const payment = (safe: Address, to: Address): SafeTransaction => ({
    chainId: CHAIN_ID,
    safe,
    to,
    data: '0x',
    operation: 0,
    safeTxGas: 50_000n,
    nonce: 1n,
  });
  const nonceOf = async (safe: Address) => BigInt(await evm.read(safe, encodeFunctionData({ abi: VIEW, functionName: 'nonce' })));

  it('uses contracts with the published code', async () => {
    for (const { address, codeHash } of [...Object.values(SAFE_CONTRACTS), MODULE_PROXY_FACTORY, DELAY_1_0_1]) {
      expect(await codeHashAt(address), address).toBe(codeHash);
    }
    // Canonical deployments were made by the singleton factory (EIP-2470's predecessor): the address commits to the code that the tests run.
    const at = ({ salt, initCode }: { salt: string; initCode: string }) =>
      getContractAddress({
        opcode: 'CREATE2',
        from: '0xce0042B868300000d44A59004Da54A005ffdcf9f',
        salt: salt as Hex,
        bytecode: initCode as Hex,
      });
    expect(at(zodiac.delay)).toBe(DELAY_1_0_1.address);
    expect(at(zodiac.moduleProxyFactory)).toBe(MODULE_PROXY_FACTORY.address);
  });

  it('predicts a Delay module as a client that is not ours does', () => {
    // predictAddresses(safe).delay of @gnosispay/account-kit 5.1.1: the same set-up with the code and the settings that it deploys modules with.
    const theirs = {
      mastercopy: { ...DELAY_1_0_1, address: '0x22d903fd45F441F51bcad198D14eBa8a75EA1ef0' },
      cooldownSeconds: 0,
      expirationSeconds: 0,
    } as const;
    expect(predictDelayModule('0x52908400098527886E0F7030069857D2E4169EE7', theirs)).toBe('0xB61661eAD527bD72B0cc5B8EBfED3157aBBc04Dd');
  });

  it('deploys the Safe and its module at the predicted addresses, with two owners who sign together', async () => {
    const { safe, owner, platform } = await deployed();
    expect(await codeHashAt(safe)).toBe(SAFE_PROXY_CODE_HASH);
    expect(await codeHashAt(predictDelayModule(safe, SETTINGS))).toBe(moduleProxyCodeHash(DELAY_1_0_1.address));
    const owners = await evm.read(safe, encodeFunctionData({ abi: VIEW, functionName: 'getOwners' }));
    for (const { address } of [owner, platform]) expect(owners).toContain(address.slice(2).toLowerCase());

    const transaction = payment(safe, owner.address);
    const { to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver, nonce } =
      safeTypedData(transaction).message;
    const args = [to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver, nonce] as const;
    expect(await evm.read(safe, encodeFunctionData({ abi: VIEW, functionName: 'getTransactionHash', args }))).toBe(
      safeTransactionHash(transaction),
    );
    for (const alone of [owner, platform]) {
      const { data: call } = encodeExecution(transaction, await signSafeTransaction(transaction, [alone]));
      await expect(evm.send(safe, call)).rejects.toThrow('GS020');
    }
    await expect(
      evm.send(safe, encodeExecution(transaction, await signSafeTransaction(transaction, [owner, newKey()])).data),
    ).rejects.toThrow('GS026');
    await evm.send(safe, encodeExecution(transaction, await signSafeTransaction(transaction, [owner, platform])).data);
    expect(await nonceOf(safe)).toBe(2n);
  });

  it('leaves nothing behind when a part of it fails', async () => {
    const { parties, platform } = newParties();
    const setUp = setUpTransaction(parties, SETTINGS, 0n);
    const batch = encodeMultiSend([
      encodeSafeDeployment(parties),
      encodeDelayDeployment(parties.safe, SETTINGS),
      encodeExecution(setUp, await signSafeTransaction(setUp, [platform])),
    ]);
    await expect(evm.send(batch.to, batch.data)).rejects.toThrow();
    expect(await evm.rpc('eth_getCode', [parties.safe, 'latest'])).toBe('0x');
  });

  it('lets the owner leave without the platform, after the cooldown only, and nobody else', async () => {
    const { safe, owner, platform } = await deployed();
    const module = predictDelayModule(safe, SETTINGS);
    const args = [owner.address, 0n, '0x', 0] as const;
    const request = encodeFunctionData({ abi: VIEW, functionName: 'execTransactionFromModule', args });
    const execute = encodeFunctionData({ abi: VIEW, functionName: 'executeNextTx', args });
    await evm.rpc('hardhat_setBalance', [safe, '0x0']);
    for (const { address } of [owner, platform]) {
      await evm.rpc('hardhat_setBalance', [address, '0xde0b6b3a7640000']);
      await evm.rpc('hardhat_impersonateAccount', [address]);
    }
    await expect(evm.rpc('eth_sendTransaction', [{ from: platform.address, to: module, data: request }])).rejects.toThrow();
    await evm.rpc('eth_sendTransaction', [{ from: owner.address, to: module, data: request }]);
    await expect(evm.send(module, execute)).rejects.toThrow();
    await evm.rpc('evm_increaseTime', [SETTINGS.cooldownSeconds + 1]);
    await evm.send(module, execute);
    expect(await nonceOf(safe)).toBe(1n);
  });
});
