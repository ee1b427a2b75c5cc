import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, parseAbi, zeroAddress } from 'viem';
import { SAFE_CONTRACTS } from '../safe/index.ts';
import { SAFE_TX } from '../safe/safe-transaction.ts';
import { loadHardhat } from './hardhat.ts';
import { installSafe } from './install-safe.ts';

const FACTORY = SAFE_CONTRACTS.proxyFactory.address;
const SINGLETON = SAFE_CONTRACTS.l2Singleton.address;
const HANDLER = SAFE_CONTRACTS.fallbackHandler.address;

const SAFE = parseAbi([
  'function setup(address[] owners, uint256 threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)',
  'function createProxyWithNonce(address singleton, bytes initializer, uint256 saltNonce) returns (address proxy)',
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) payable returns (bool)',
  'function swapOwner(address prevOwner, address oldOwner, address newOwner)',
  'function nonce() view returns (uint256)',
]);

/**
 * Code that loops until its gas is burned, by hashing 64 KiB (about 12,000 gas) in each turn. Hardhat executes an empty loop of millions of steps
 * so slowly that the verdict would depend on the machine: it reports a slow node, not the contract.
 */
export const GAS_BURNER: Hex = '0x5b61ffff60002050600056';

/** Head of a Safe's linked list of owners. */
const SENTINEL = '0x0000000000000000000000000000000000000001';

/**
 * A local chain: Hardhat's node in this process, with the contracts of Safe 1.4.1 at their canonical addresses.
 * @param start the time of its first block, from which on time passes; default: now
 */
export const startEvm = async (chainId: number, start?: Date) => {
  const { createHardhatRuntimeEnvironment } = await loadHardhat();
  const initial = start === undefined ? {} : { initialDate: start.toISOString() };
  const hre = await createHardhatRuntimeEnvironment({
    networks: { node: { type: 'edr-simulated', chainType: 'l1', chainId, ...initial } },
  });
  const server = await hre.network.createServer('node', '127.0.0.1', 0);
  const { port } = await server.listen();
  const url = `http://127.0.0.1:${port}`;
  let open = true;

  const rpc = async <T>(method: string, params: readonly unknown[] = []): Promise<T> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const { result, error } = (await response.json()) as { result: T; error?: { message: string } };
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  };

  const setCode = (address: Address, code: string) => rpc('hardhat_setCode', [address, code]);
  await installSafe({ setCode });
  const [sender] = await rpc<Address[]>('eth_accounts');
  // The first call that burns its gas takes seconds in Hardhat, later ones milliseconds: warm up before the tests.
  await rpc('eth_call', [{ data: GAS_BURNER, gas: '0x5b8d80' }]).catch(() => undefined);

  /** Sends and mines a transaction from a funded account. */
  const send = (to: Address, data: Hex) => rpc<Hex>('eth_sendTransaction', [{ from: sender, to, data, gas: '0x4c4b40' }]);
  const read = (to: Address, data: Hex) => rpc<Hex>('eth_call', [{ to, data }, 'latest']);

  const creation = (owners: readonly Address[], threshold: number, saltNonce: bigint): Hex => {
    const setup = [owners, BigInt(threshold), zeroAddress, '0x', HANDLER, zeroAddress, 0n, zeroAddress] as const;
    const initializer = encodeFunctionData({ abi: SAFE, functionName: 'setup', args: setup });
    return encodeFunctionData({ abi: SAFE, functionName: 'createProxyWithNonce', args: [SINGLETON, initializer, saltNonce] });
  };

  /** The address at which a Safe with these owners would be deployed. */
  const predictSafe = async (owners: readonly Address[], threshold = 1, saltNonce = 1n): Promise<Address> => {
    const data = await read(FACTORY, creation(owners, threshold, saltNonce));
    return decodeFunctionResult({ abi: SAFE, functionName: 'createProxyWithNonce', data });
  };

  /** Sends a transaction of a Safe that one wallet owns alone, and that the owner signs. @returns its hash */
  const executeFromSafe = async (safe: Address, owner: SafeOwner, { to, data }: { to: Address; data: Hex }): Promise<Hex> => {
    const nonce = BigInt(await read(safe, encodeFunctionData({ abi: SAFE, functionName: 'nonce' })));
    const signature = await owner.signTypedData({
      domain: { chainId, verifyingContract: safe },
      types: { SafeTx: SAFE_TX },
      primaryType: 'SafeTx',
      message: { to, data, nonce, ...NO_REFUND },
    });
    const args = [to, 0n, data, 0, 0n, 0n, 0n, zeroAddress, zeroAddress, signature] as const;
    return send(safe, encodeFunctionData({ abi: SAFE, functionName: 'execTransaction', args }));
  };

  return {
    url,
    rpc,
    setCode,
    /** Sends and mines a transaction from a funded account. @returns its hash; a transaction that reverts is an error */
    send,
    /** Calls a contract at the newest block. */
    read,
    predictSafe,
    /** The transaction that deploys a Safe. */
    creationOf: (owners: readonly Address[]) => ({ to: FACTORY, data: creation(owners, 1, 1n) }) as const,
    /** Mines a block with this timestamp, which must not be before the newest block's. */
    mineAt: async (time: Date): Promise<void> => {
      await rpc('evm_setNextBlockTimestamp', [Math.ceil(time.getTime() / 1000)]);
      await rpc('evm_mine');
    },
    /** Mines a block with the current time: this chain does not mine by itself. */
    mine: () => rpc('evm_mine'),
    blockNumber: async () => Number(await rpc('eth_blockNumber')),

    /** Deploys a Safe through the proxy factory; returns its address. */
    deploySafe: async (owners: readonly Address[], threshold = 1, saltNonce = 1n): Promise<Address> => {
      const address = await predictSafe(owners, threshold, saltNonce);
      await send(FACTORY, creation(owners, threshold, saltNonce));
      if ((await rpc('eth_getCode', [address, 'latest'])) === '0x') throw new Error('the Safe was not deployed at the predicted address');
      return address;
    },

    executeFromSafe,

    /** Replaces the only owner of a Safe by a transaction that the owner signs. */
    swapOwner: async (safe: Address, from: SafeOwner, to: Address): Promise<void> => {
      const data = encodeFunctionData({ abi: SAFE, functionName: 'swapOwner', args: [SENTINEL, from.address, to] });
      await executeFromSafe(safe, from, { to: safe, data });
    },

    close: async () => {
      if (!open) return;
      open = false;
      await server.close();
    },
  };
};

export type Evm = Awaited<ReturnType<typeof startEvm>>;

const NO_REFUND = {
  value: 0n,
  operation: 0,
  safeTxGas: 0n,
  baseGas: 0n,
  gasPrice: 0n,
  gasToken: zeroAddress,
  refundReceiver: zeroAddress,
} as const;

type SignSafeTx = (data: {
  domain: { chainId: number; verifyingContract: Address };
  types: { SafeTx: typeof SAFE_TX };
  primaryType: 'SafeTx';
  message: { to: Address; data: Hex; nonce: bigint } & typeof NO_REFUND;
}) => Promise<Hex>;

type SafeOwner = { address: Address; signTypedData: SignSafeTx };
