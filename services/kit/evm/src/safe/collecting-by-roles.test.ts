import { type Address, encodeAbiParameters, encodeFunctionData, erc20Abi, type Hex, keccak256, pad, parseAbi, toHex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, it } from 'vitest';
import { deployToken, describeOnEvm, startEvm } from '../local-chain/index.ts';
import contracts from '../local-chain/roles-contracts.json' with { type: 'json' };

const ROLES = parseAbi([
  'struct Condition { uint8 parent; uint8 paramType; uint8 operator; bytes compValue; }',
  'function setAllowance(bytes32 key, uint128 balance, uint128 maxRefill, uint128 refill, uint64 period, uint64 timestamp)',
  'function assignRoles(address module, bytes32[] roleKeys, bool[] memberOf)',
  'function scopeTarget(bytes32 roleKey, address target)',
  'function scopeFunction(bytes32 roleKey, address target, bytes4 selector, Condition[] conditions, uint8 options)',
  'function execTransactionWithRole(address to, uint256 value, bytes data, uint8 operation, bytes32 roleKey, bool shouldRevert) returns (bool)',
  'function enableModule(address module)',
]);
/** The factory of EIP-2470, and code that does what its `deploy(bytes,bytes32)` does: the module keeps conditions as code. */
const SINGLETON_FACTORY: Address = '0xce0042B868300000d44A59004Da54A005ffdcf9f';
const CREATES: Hex = '0x6044358060645f37602435905f5ff55f5260205ff3';
const KEY = keccak256(toHex('collects'));
const [STATIC, CALLDATA, MATCHES, EQUAL_TO, WITHIN_ALLOWANCE] = [1, 5, 5, 16, 28];
const LIMIT = 1000n;

/** The alternative that decision 14 compares with the Collector, without the proxy of each Safe's module. */
describeOnEvm('collecting by a Roles module on every Safe', { timeout: 180_000 }, () => {
  it('keeps receiver, member and limit, at more than 90,000 gas each', async () => {
    const evm = await startEvm(100);
    try {
      const [deployer, treasury, operator, thief] = await evm.rpc<Address[]>('eth_accounts');
      const sendAs = async (from: Address | undefined, to: Address | undefined, data: Hex) => {
        const hash = await evm.rpc<Hex>('eth_sendTransaction', [{ from, to, data, gas: '0xe00000' }]);
        return evm.rpc<{ gasUsed: Hex; status: Hex; contractAddress: Address }>('eth_getTransactionReceipt', [hash]);
      };
      await evm.setCode(SINGLETON_FACTORY, CREATES);
      // The libraries that the module's code calls.
      for (const code of [contracts.packer, contracts.integrity] as Hex[]) {
        const { contractAddress } = await sendAs(deployer, undefined, code);
        const place = keccak256(`0xff${SINGLETON_FACTORY.slice(2)}${'0'.repeat(64)}${keccak256(code).slice(2)}`);
        await evm.setCode(`0x${place.slice(-40)}`, await evm.rpc<Hex>('eth_getCode', [contractAddress, 'latest']));
      }
      const token = await deployToken(evm);
      const safe = await evm.deploySafe([privateKeyToAccount(generatePrivateKey()).address], 1, 1n);
      await token.pay(safe, 10_000n);
      await evm.rpc('hardhat_impersonateAccount', [safe]);
      await evm.rpc('hardhat_setBalance', [safe, '0xde0b6b3a7640000']);
      const parties = encodeAbiParameters([{ type: 'address' }, { type: 'address' }, { type: 'address' }], [safe, safe, safe]);
      const { contractAddress: roles } = await sendAs(deployer, undefined, `${contracts.roles as Hex}${parties.slice(2)}`);
      const call = (functionName: string, args: readonly unknown[]) =>
        encodeFunctionData({ abi: ROLES, functionName, args } as Parameters<typeof encodeFunctionData>[0]);
      const transfer = (to: Address | undefined, amount: bigint) =>
        encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to as Address, amount] });
      const conditions = [
        { parent: 0, paramType: CALLDATA, operator: MATCHES, compValue: '0x' },
        { parent: 0, paramType: STATIC, operator: EQUAL_TO, compValue: pad(treasury as Address) },
        { parent: 0, paramType: STATIC, operator: WITHIN_ALLOWANCE, compValue: KEY },
      ];
      const setUp = [
        ['setAllowance', [KEY, LIMIT, LIMIT, LIMIT, 86_400n, 0n]],
        ['assignRoles', [operator, [KEY], [true]]],
        ['scopeTarget', [KEY, token.address]],
        ['scopeFunction', [KEY, token.address, '0xa9059cbb', conditions, 0]],
      ] as const;
      for (const [name, args] of setUp) expect(await sendAs(safe, roles, call(name, args))).toMatchObject({ status: '0x1' });
      expect(await sendAs(safe, safe, call('enableModule', [roles]))).toMatchObject({ status: '0x1' });
      const collect = (from: Address | undefined, to: Address | undefined, amount: bigint) =>
        sendAs(from, roles, call('execTransactionWithRole', [token.address, 0n, transfer(to, amount), 0, KEY, true]));
      await collect(operator, treasury, 10n);
      const { gasUsed } = await collect(operator, treasury, 10n);
      expect(await token.balanceOf(treasury as Address)).toBe(20n);
      for (const [from, to, amount] of [
        [operator, thief, 10n],
        [thief, treasury, 10n],
        [operator, treasury, LIMIT],
      ] as const)
        await expect(collect(from, to, amount)).rejects.toThrow();
      expect(BigInt(gasUsed)).toBeGreaterThan(90_000n);
    } finally {
      await evm.close();
    }
  });
});
