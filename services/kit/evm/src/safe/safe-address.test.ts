import artifact from '@safe-global/safe-contracts/build/artifacts/contracts/proxies/SafeProxy.sol/SafeProxy.json' with { type: 'json' };
import { type Address, decodeFunctionData, encodeFunctionData, getAddress, parseAbi, toFunctionSelector, zeroAddress } from 'viem';
import { describe, expect, it } from 'vitest';
import { SAFE_CONTRACTS } from './deployments.ts';
import {
  predictProxyAddress,
  predictSafeAddress,
  SAFE_PROXY_CREATION_CODE,
  SAFE_SETUP,
  safeInitializer,
  saltNonceOf,
} from './safe-address.ts';

/** The singleton of that deployment: the variant without events. */
const L1_SINGLETON = '0x41675C099F32341bf84BFc5382aF534df5C7461a';

describe('the address of a Safe', () => {
  it('is computed over the bytes that Safe published', () => {
    expect(SAFE_PROXY_CREATION_CODE).toBe(artifact.bytecode);
  });

  it('agrees with a Safe that was deployed on Ethereum', () => {
    // Transaction 0x764675dc513abc36844acf38ac0ef783b0c3e900f8a7d4695bff734e1b0b681d.
    const owners: Address[] = ['0xBF51A8D5ec360F69f9d852Bad1df81585a0b4de2', '0x84B2D6d9C43Ee780Dd3AA5a7f68aE2A5f45F8206'];
    const toL2 = encodeFunctionData({
      abi: parseAbi(['function setupToL2(address l2Singleton)']),
      args: [SAFE_CONTRACTS.l2Singleton.address],
    });
    const receiver = '0x5afe7A11E7000000000000000000000000000000';
    const initializer = encodeFunctionData({
      abi: SAFE_SETUP,
      args: [
        owners,
        2n,
        '0xBD89A1CE4DDe368FFAB0eC35506eEcE0b1fFdc54',
        toL2,
        SAFE_CONTRACTS.fallbackHandler.address,
        zeroAddress,
        0n,
        receiver,
      ],
    });
    expect(predictProxyAddress(L1_SINGLETON, initializer, 0n)).toBe('0xe47C47CDa5c532A55b930467691BbDB24Ce08bDA');
  });

  it('is for a Safe without modules, guards and refunds', () => {
    const owner = '0x52908400098527886E0F7030069857D2E4169EE7';
    const { args } = decodeFunctionData({ abi: SAFE_SETUP, data: safeInitializer([owner]) });
    expect(args).toEqual([[owner], 1n, zeroAddress, '0x', SAFE_CONTRACTS.fallbackHandler.address, zeroAddress, 0n, zeroAddress]);
    expect(toFunctionSelector(SAFE_SETUP[0])).toBe('0xb63e800d');
  });

  it('depends on account and owners, and on nothing else', () => {
    const [id, owner] = ['01890a5d-ac96-774b-bcce-b302099a8057', '0x52908400098527886E0F7030069857D2E4169EE7'] as const;
    const address = predictSafeAddress(id, [owner]);
    expect(address).toBe(getAddress(address));
    expect(predictSafeAddress(id, [owner.toLowerCase() as Address])).toBe(address);
    expect(predictProxyAddress(SAFE_CONTRACTS.l2Singleton.address, safeInitializer([owner]), saltNonceOf(id))).toBe(address);
    expect(predictSafeAddress('01890a5d-ac96-774b-bcce-b302099a8058', [owner])).not.toBe(address);
    for (const owners of [[L1_SINGLETON], [owner, L1_SINGLETON], [L1_SINGLETON, owner]] as const)
      expect(predictSafeAddress(id, owners)).not.toBe(address);
  });
});
