import type { Evm } from '@florin/evm/local-chain';
import artifact from '@openzeppelin/contracts/build/contracts/ERC20PresetMinterPauser.json' with { type: 'json' };
import { type Address, encodeAbiParameters, encodeFunctionData, type Hex, keccak256, parseAbi } from 'viem';
import type { Wallet } from './story.ts';

const TOKEN = parseAbi([
  'function mint(address to, uint256 amount)',
  'function transfer(address to, uint256 amount) returns (bool)',
  'function balanceOf(address owner) view returns (uint256)',
]);

/** Tokens and Safes on a local chain, used as anybody may. */
export const evmTokens = async (evm: Evm) => {
  const [sender] = await evm.rpc<Address[]>('eth_accounts');
  /** @throws Error if the transaction was reverted */
  const mined = async (hash: Hex): Promise<{ transactionHash: Hex; contractAddress: Address | null }> => {
    const receipt = await evm.rpc<{ status: Hex; transactionHash: Hex; contractAddress: Address | null }>('eth_getTransactionReceipt', [
      hash,
    ]);
    if (receipt.status !== '0x1') throw new Error('the transaction was reverted');
    return receipt;
  };
  const send = async (transaction: { to?: Address; data: Hex }) =>
    mined(await evm.rpc<Hex>('eth_sendTransaction', [{ from: sender, gas: '0x4c4b40', ...transaction }]));
  const transferCall = (to: Address, amount: bigint) => encodeFunctionData({ abi: TOKEN, functionName: 'transfer', args: [to, amount] });

  const balanceOf = async (token: Address, owner: Address): Promise<bigint> =>
    BigInt(
      await evm.rpc<Hex>('eth_call', [
        { to: token, data: encodeFunctionData({ abi: TOKEN, functionName: 'balanceOf', args: [owner] }) },
        'latest',
      ]),
    );

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

    balanceOf,

    /** Changes a balance without a Transfer event, as an upgraded token might, in a new block. */
    setBalance: async (token: Address, owner: Address, amount: bigint): Promise<void> => {
      const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`;
      const before = await balanceOf(token, owner);
      for (let slot = 0n; slot < 20n; slot += 1n) {
        const place = keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [owner, slot]));
        if (BigInt(await evm.rpc<Hex>('eth_getStorageAt', [token, place, 'latest'])) !== before) continue;
        await evm.rpc('hardhat_setStorageAt', [token, place, word(amount)]);
        if ((await balanceOf(token, owner)) === amount) return evm.rpc('evm_mine');
        await evm.rpc('hardhat_setStorageAt', [token, place, word(before)]);
      }
      throw new Error('the token keeps its balances in an unknown place');
    },

    /** Sends tokens out of a deployed Safe that one wallet owns alone. @returns the transaction's hash */
    payFromSafe: async (safe: Address, owner: Wallet, token: Address, to: Address, amount: bigint): Promise<Hex> =>
      (await mined(await evm.executeFromSafe(safe, owner, { to: token, data: transferCall(to, amount) }))).transactionHash,
  };
};
