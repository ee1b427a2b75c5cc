import type { Evm } from '@florin/threeds/testing/evm';
import artifact from '@openzeppelin/contracts/build/contracts/ERC20PresetMinterPauser.json' with { type: 'json' };
import { type Address, encodeAbiParameters, encodeFunctionData, type Hex, parseAbi, zeroAddress } from 'viem';
import type { Wallet } from './story.ts';

const TOKEN = parseAbi([
  'function mint(address to, uint256 amount)',
  'function transfer(address to, uint256 amount) returns (bool)',
  'function balanceOf(address owner) view returns (uint256)',
]);
const SAFE = parseAbi([
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) payable returns (bool)',
  'function nonce() view returns (uint256)',
]);
const SAFE_TX = [
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'data', type: 'bytes' },
  { name: 'operation', type: 'uint8' },
  { name: 'safeTxGas', type: 'uint256' },
  { name: 'baseGas', type: 'uint256' },
  { name: 'gasPrice', type: 'uint256' },
  { name: 'gasToken', type: 'address' },
  { name: 'refundReceiver', type: 'address' },
  { name: 'nonce', type: 'uint256' },
] as const;

/** Tokens and Safes on a local chain, used as anybody may. */
export const evmTokens = async (evm: Evm, chainId: number) => {
  const [sender] = await evm.rpc<Address[]>('eth_accounts');
  const send = async (transaction: { to?: Address; data: Hex }): Promise<{ transactionHash: Hex; contractAddress: Address | null }> => {
    const hash = await evm.rpc<Hex>('eth_sendTransaction', [{ from: sender, gas: '0x4c4b40', ...transaction }]);
    const receipt = await evm.rpc<{ status: Hex; transactionHash: Hex; contractAddress: Address | null }>('eth_getTransactionReceipt', [
      hash,
    ]);
    if (receipt.status !== '0x1') throw new Error('the transaction was reverted');
    return receipt;
  };
  const transferCall = (to: Address, amount: bigint) => encodeFunctionData({ abi: TOKEN, functionName: 'transfer', args: [to, amount] });

  return {
    /** Deploys a token of OpenZeppelin's (EIP-20, 18 decimals) and gives the sender of all transactions a million units. */
    deploy: async (symbol: string): Promise<Address> => {
      const parameters = encodeAbiParameters([{ type: 'string' }, { type: 'string' }], [symbol, symbol]);
      const { contractAddress } = await send({ data: `${artifact.bytecode}${parameters.slice(2)}` as Hex });
      if (contractAddress === null || sender === undefined) throw new Error('the token was not deployed');
      await send({ to: contractAddress, data: encodeFunctionData({ abi: TOKEN, functionName: 'mint', args: [sender, 10n ** 24n] }) });
      return contractAddress;
    },

    /** Sends tokens. @returns the transaction's hash */
    pay: async (token: Address, to: Address, amount: bigint): Promise<Hex> =>
      (await send({ to: token, data: transferCall(to, amount) })).transactionHash,

    balanceOf: async (token: Address, owner: Address): Promise<bigint> =>
      BigInt(
        await evm.rpc<Hex>('eth_call', [
          { to: token, data: encodeFunctionData({ abi: TOKEN, functionName: 'balanceOf', args: [owner] }) },
          'latest',
        ]),
      ),

    /** Sends tokens out of a deployed Safe that one wallet owns alone. @returns the transaction's hash */
    payFromSafe: async (safe: Address, owner: Wallet, token: Address, to: Address, amount: bigint): Promise<Hex> => {
      const nonce = BigInt(
        await evm.rpc<Hex>('eth_call', [{ to: safe, data: encodeFunctionData({ abi: SAFE, functionName: 'nonce' }) }, 'latest']),
      );
      const message = {
        to: token,
        value: 0n,
        data: transferCall(to, amount),
        operation: 0,
        safeTxGas: 0n,
        baseGas: 0n,
        gasPrice: 0n,
        gasToken: zeroAddress,
        refundReceiver: zeroAddress,
        nonce,
      };
      const domain = { chainId, verifyingContract: safe };
      const signature = await owner.signTypedData({ domain, types: { SafeTx: SAFE_TX }, primaryType: 'SafeTx', message });
      const args = [token, 0n, message.data, 0, 0n, 0n, 0n, zeroAddress, zeroAddress, signature] as const;
      return (await send({ to: safe, data: encodeFunctionData({ abi: SAFE, functionName: 'execTransaction', args }) })).transactionHash;
    },
  };
};
