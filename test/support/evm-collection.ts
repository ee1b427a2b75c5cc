import { installCollector } from '@florin/evm/local-chain/install-collector';
import { installModules } from '@florin/evm/local-chain/install-modules';
import type { Evm } from '@florin/evm/local-chain/start-evm';
import { COLLECTOR, COLLECTOR_ABI } from '@florin/evm/safe';
import type { Environment } from '@florin/rpc/config';
import { type Address, encodeFunctionData, erc20Abi, type Hex, maxUint256 } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';

const RICH = '0x56bc75e2d63100000';

/**
 * Puts the Delay module and the Collector on a local chain, with a treasury and its operator.
 * @returns the treasury, its operator, the platform's owner of Safes, and the environment of a platform that sets Safes up, and collects the token from them
 */
export const installCollection = async (
  evm: Evm,
  eure: Address,
): Promise<{ treasury: Address; relayer: Address; platform: Address; environment: Environment }> => {
  await installModules(evm);
  await installCollector(evm);
  const [relayerKey, cosignerKey] = [generatePrivateKey(), generatePrivateKey()];
  const [relayer, platform] = [privateKeyToAddress(relayerKey), privateKeyToAddress(cosignerKey)];
  await evm.rpc('hardhat_setBalance', [relayer, RICH]);
  const [, treasury] = await evm.rpc<Address[]>('eth_accounts');
  if (treasury === undefined) throw new Error('the node has no accounts');
  const asTreasury = (to: Address, data: Hex) => evm.rpc('eth_sendTransaction', [{ from: treasury, to, data, gas: '0x4c4b40' }]);
  await asTreasury(COLLECTOR.address, encodeFunctionData({ abi: COLLECTOR_ABI, functionName: 'setOperator', args: [relayer, true] }));
  await asTreasury(eure, encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [COLLECTOR.address, maxUint256] }));
  return {
    treasury,
    relayer,
    platform,
    environment: {
      SAFE_PLATFORM_OWNER: platform,
      CHAIN_RELAYER_KEY: relayerKey,
      CHAIN_COSIGNER_KEYS: cosignerKey,
      CHAIN_COLLECTION: JSON.stringify({ treasury, limits: { EURe: String(5000n * 10n ** 18n) }, above: { EURe: '1' } }),
      CHAIN_COLLECTION_SECONDS: '1',
    },
  };
};
