import type { Hex } from '@florin/evm/hex';
import { describeOnEvm, type Evm, installModules, startEvm } from '@florin/evm/local-chain';
import {
  DELAY_1_0_1,
  encodeDelayDeployment,
  encodeExecution,
  encodeMultiSend,
  encodeSafeDeployment,
  predictDelayModule,
  predictSafeAddress,
  setUpTransaction,
} from '@florin/evm/safe';
import { signSafeTransaction } from '@florin/evm/testing';
import { type Address, decodeFunctionData, encodeAbiParameters, encodeFunctionData, erc20Abi, parseAbi } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { agreeExecution } from '../ports/agree-execution.ts';
import { createJsonRpcExecutionNode } from '../ports/json-rpc-execution-node.ts';
import { findFrozen, findUnpinned, inspectSafe } from './inspect-safe.ts';

const CHAIN_ID = 100;
const ACCOUNT_ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const SETTINGS = { mastercopy: DELAY_1_0_1, cooldownSeconds: 3600, expirationSeconds: 600 };

const ABI = parseAbi([
  'function enableModule(address module)',
  'function disableModule(address prevModule, address module)',
  'function addOwnerWithThreshold(address owner, uint256 _threshold)',
  'function changeThreshold(uint256 _threshold)',
  'function setGuard(address guard)',
  'function setFallbackHandler(address handler)',
  'function setTxCooldown(uint256 cooldown)',
  'function execTransactionFromModule(address to, uint256 value, bytes data, uint8 operation)',
]);

type Recipients = { owner: Address; platform: Address };

const newKey = () => privateKeyToAccount(generatePrivateKey());
const STRANGER: Address = '0x52908400098527886E0F7030069857D2E4169EE7';
const SENTINEL: Address = '0x0000000000000000000000000000000000000001';

describeOnEvm('the inspection of a Safe', { timeout: 180_000 }, () => {
  let evm: Evm;
  beforeAll(async () => {
    evm = await startEvm(CHAIN_ID);
    await installModules(evm);
  }, 180_000);
  afterAll(() => evm?.close());

  const node = () => agreeExecution([createJsonRpcExecutionNode(evm.url), createJsonRpcExecutionNode(evm.url)]);
  /** A Safe that is what an account needs, and what its owners may do with it. */
  const setUp = async () => {
    const [owner, platform] = [newKey(), newKey()];
    const safe = predictSafeAddress(ACCOUNT_ID, [owner.address]);
    const parties = { chainId: CHAIN_ID, accountId: ACCOUNT_ID, safe, owner: owner.address, platform: platform.address };
    const first = setUpTransaction(parties, SETTINGS, 0n);
    const batch = encodeMultiSend([
      encodeSafeDeployment(parties),
      encodeDelayDeployment(safe, SETTINGS),
      encodeExecution(first, await signSafeTransaction(first, [owner])),
    ]);
    await evm.send(batch.to, batch.data);
    return {
      parties,
      execute: async (to: Address, data: Hex) => {
        const transaction = { chainId: CHAIN_ID, safe, to, data, operation: 0, safeTxGas: 0n, nonce: 1n } as const;
        const call = encodeExecution(transaction, await signSafeTransaction(transaction, [owner, platform]));
        await evm.send(call.to, call.data);
      },
      inspect: async (settings = SETTINGS) => inspectSafe(node(), parties, { delay: settings }, await evm.blockNumber()),
    };
  };

  it('finds nothing in a Safe that is what an account needs', async () => {
    const { inspect } = await setUp();
    expect(await inspect()).toEqual([]);
  });

  it('finds an address without code, and a Safe that the owner deployed alone', async () => {
    const [owner, platform] = [newKey(), newKey()];
    const safe = predictSafeAddress(ACCOUNT_ID, [owner.address]);
    const parties = { chainId: CHAIN_ID, accountId: ACCOUNT_ID, safe, owner: owner.address, platform: platform.address };
    const inspect = async () => inspectSafe(node(), parties, { delay: SETTINGS }, await evm.blockNumber());
    expect(await inspect()).toEqual(['not_deployed']);
    const { to, data } = encodeSafeDeployment(parties);
    await evm.send(to, data);
    expect(await inspect()).toEqual(['owners_differ', 'threshold_differs', 'modules_differ', 'delay_differs']);
  });

  it.each([
    ['another module', 'enableModule', [STRANGER], ['modules_differ']],
    ['another owner', 'addOwnerWithThreshold', [STRANGER, 2n], ['owners_differ']],
    ['a threshold of one', 'changeThreshold', [1n], ['threshold_differs']],
    ['another fallback handler', 'setFallbackHandler', [STRANGER], ['code_differs']],
  ] as const)('finds %s', async (_name, functionName, args, findings) => {
    const { parties, execute, inspect } = await setUp();
    await execute(parties.safe, encodeFunctionData({ abi: ABI, functionName, args } as Parameters<typeof encodeFunctionData>[0]));
    expect(await inspect()).toEqual(findings);
  });

  it('finds a Delay module that is disabled, was given another user or another cooldown, or holds a transaction', async () => {
    const call = (functionName: string, args: readonly unknown[]) =>
      encodeFunctionData({ abi: ABI, functionName, args } as Parameters<typeof encodeFunctionData>[0]);
    const disabled = await setUp();
    const module = (safe: Address) => predictDelayModule(safe, SETTINGS);
    await disabled.execute(disabled.parties.safe, call('disableModule', [SENTINEL, module(disabled.parties.safe)]));
    expect(await disabled.inspect()).toEqual(['modules_differ']);

    const shared = await setUp();
    await shared.execute(module(shared.parties.safe), call('enableModule', [STRANGER]));
    expect(await shared.inspect()).toEqual(['delay_users_differ']);

    const quick = await setUp();
    await quick.execute(module(quick.parties.safe), call('setTxCooldown', [0n]));
    expect(await quick.inspect()).toEqual(['delay_differs']);

    const leaving = await setUp();
    const { owner, safe } = leaving.parties;
    await evm.rpc('hardhat_setBalance', [owner, '0xde0b6b3a7640000']);
    await evm.rpc('hardhat_impersonateAccount', [owner]);
    const data = call('execTransactionFromModule', [owner, 0n, '0x', 0]);
    await evm.rpc('eth_sendTransaction', [{ from: owner, to: module(safe), data }]);
    expect(await leaving.inspect()).toEqual(['exit_pending']);
  });

  it('expects the configured cooldown', async () => {
    const { inspect } = await setUp();
    // Another cooldown is another module at another address.
    expect(await inspect({ ...SETTINGS, cooldownSeconds: 7200 })).toEqual(['modules_differ', 'delay_differs']);
  });

  it('finds a master copy whose code is not the pinned one', async () => {
    const { inspect } = await setUp();
    const pinned = { ...SETTINGS, mastercopy: { ...DELAY_1_0_1, codeHash: `0x${'ab'.repeat(32)}` as const } };
    expect(await findUnpinned(node(), SETTINGS, await evm.blockNumber())).toEqual([]);
    expect(await findUnpinned(node(), pinned, await evm.blockNumber())).toEqual([DELAY_1_0_1.address]);
    expect(await inspect(pinned)).toEqual(['contract_not_pinned']);
  });

  it('does not believe one of two nodes', async () => {
    const { parties } = await setUp();
    const honest = createJsonRpcExecutionNode(evm.url);
    const lying = { ...honest, storageAt: async () => `0x${'11'.repeat(32)}` as const };
    await expect(inspectSafe(agreeExecution([honest, lying]), parties, { delay: SETTINGS }, await evm.blockNumber())).rejects.toThrow(
      'disagree',
    );
  });
});

it.each([
  ['all transfers', () => false, [STRANGER]],
  ['transfers to the platform', (recipient: Address, { platform }: Recipients) => recipient !== platform, []],
  ['transfers to the owner', (recipient: Address, { owner }: Recipients) => recipient !== owner, []],
] as const)('finds a token frozen only if none can leave: its issuer prevents %s', async (_name, mayReceive, frozen) => {
  const [safe, owner, platform] = [newKey().address, newKey().address, newKey().address];
  const node = {
    call: async () => encodeAbiParameters([{ type: 'uint256' }], [1n]),
    wouldSucceed: async ({ data }: { data: Hex }) => {
      const { args } = decodeFunctionData({ abi: erc20Abi, data });
      return mayReceive(args?.[0] as Address, { owner, platform });
    },
  };
  expect(await findFrozen(node, { safe, owner, platform }, [STRANGER], 1)).toEqual(frozen);
});
