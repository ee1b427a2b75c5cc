import type { Address, Hex } from 'viem';
import { DELAY_1_0_1, MODULE_PROXY_FACTORY } from '../safe/index.ts';
import type { Evm } from './start-evm.ts';
import contracts from './zodiac-contracts.json' with { type: 'json' };

/** Puts the Delay module and the factory of its proxies at their canonical addresses. */
export const installModules = async ({ rpc, setCode }: Pick<Evm, 'rpc' | 'setCode'>): Promise<void> => {
  const [from] = await rpc<Address[]>('eth_accounts');
  const install = async (address: Address, initCode: string): Promise<void> => {
    const hash = await rpc<Hex>('eth_sendTransaction', [{ from, data: initCode, gas: '0x7a1200' }]);
    const { contractAddress } = await rpc<{ contractAddress: Address }>('eth_getTransactionReceipt', [hash]);
    await setCode(address, await rpc<Hex>('eth_getCode', [contractAddress, 'latest']));
  };
  await install(DELAY_1_0_1.address, contracts.delay.initCode);
  await install(MODULE_PROXY_FACTORY.address, contracts.moduleProxyFactory.initCode);
};
