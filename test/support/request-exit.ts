import type { Evm } from '@florin/evm/local-chain/start-evm';
import { type Address, encodeFunctionData, erc20Abi, type Hex, parseAbi } from 'viem';

const DELAY = parseAbi([
  'function execTransactionFromModule(address to, uint256 value, bytes data, uint8 operation)',
  'function executeNextTx(address to, uint256 value, bytes data, uint8 operation)',
]);

/** More than the cooldown, and less than that and the expiration. */
const COOLDOWN_SECONDS = 90_001;

/** Asks a Delay module to pay the Safe's owner, without the platform. @returns takes the money after some time, by default a cooldown, if it is still there */
export const requestExit = async (
  evm: Evm,
  { owner, delayModule }: { owner: string; delayModule: Address },
  { token, amount }: { token: Address; amount: bigint },
): Promise<(afterSeconds?: number) => Promise<Hex>> => {
  const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [owner as Address, amount] });
  const args = [token, 0n, transfer, 0] as const;
  await evm.rpc('hardhat_setBalance', [owner, '0xde0b6b3a7640000']);
  await evm.rpc('hardhat_impersonateAccount', [owner]);
  const data = encodeFunctionData({ abi: DELAY, functionName: 'execTransactionFromModule', args });
  await evm.rpc('eth_sendTransaction', [{ from: owner, to: delayModule, data }]);
  return async (afterSeconds = COOLDOWN_SECONDS) => {
    await evm.rpc('evm_increaseTime', [afterSeconds]);
    return evm.send(delayModule, encodeFunctionData({ abi: DELAY, functionName: 'executeNextTx', args }));
  };
};
