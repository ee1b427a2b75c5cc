import artifact from '@safe-global/safe-contracts/build/artifacts/contracts/test/ERC20Token.sol/ERC20Token.json' with { type: 'json' };
import { type Address, encodeFunctionData, erc20Abi, type Hex } from 'viem';
import type { Evm } from './start-evm.ts';

/** A token (EIP-20, 18 decimals) of which a funded account has a thousand million million units. */
export const deployToken = async ({ rpc, send, read }: Evm) => {
  const [from] = await rpc<Address[]>('eth_accounts');
  const hash = await rpc<Hex>('eth_sendTransaction', [{ from, data: artifact.bytecode, gas: '0x4c4b40' }]);
  const { contractAddress: address } = await rpc<{ contractAddress: Address }>('eth_getTransactionReceipt', [hash]);
  const transfer = (to: Address, amount: bigint): Hex =>
    encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] });
  return {
    address,
    transfer,
    /** Sends tokens from the funded account. */
    pay: (to: Address, amount: bigint) => send(address, transfer(to, amount)),
    balanceOf: async (owner: Address): Promise<bigint> =>
      BigInt(await read(address, encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner] }))),
  };
};

export type TestToken = Awaited<ReturnType<typeof deployToken>>;
