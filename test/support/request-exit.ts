import type { Evm } from '@florin/evm/local-chain/start-evm';
import { type Address, encodeFunctionData, erc20Abi, type Hex, parseAbi } from 'viem';

const DELAY = parseAbi([
  'function execTransactionFromModule(address to, uint256 value, bytes data, uint8 operation)',
  'function executeNextTx(address to, uint256 value, bytes data, uint8 operation)',
]);

/** More than the cooldown, and less than that and the expiration. */
const COOLDOWN_SECONDS = 90_001;

type Payout = { token: Address; amount: bigint };

const argsOf = (owner: string, { token, amount }: Payout) =>
  [token, 0n, encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [owner as Address, amount] }), 0] as const;

/** The calldata by which the owner of a Safe asks its Delay module to be paid. */
export const exitRequestOf = (owner: string, payout: Payout): Hex =>
  encodeFunctionData({ abi: DELAY, functionName: 'execTransactionFromModule', args: argsOf(owner, payout) });

/** Asks a Delay module to pay the Safe's owner, without the platform. @returns takes the money after some time, by default a cooldown, if it is still there */
export const requestExit = async (
  evm: Evm,
  { owner, delayModule }: { owner: string; delayModule: Address },
  payout: Payout,
): Promise<(afterSeconds?: number) => Promise<Hex>> => {
  await evm.rpc('hardhat_setBalance', [owner, '0xde0b6b3a7640000']);
  await evm.rpc('hardhat_impersonateAccount', [owner]);
  await evm.rpc('eth_sendTransaction', [{ from: owner, to: delayModule, data: exitRequestOf(owner, payout) }]);
  return async (afterSeconds = COOLDOWN_SECONDS) => {
    await evm.rpc('evm_increaseTime', [afterSeconds]);
    return evm.send(delayModule, encodeFunctionData({ abi: DELAY, functionName: 'executeNextTx', args: argsOf(owner, payout) }));
  };
};
