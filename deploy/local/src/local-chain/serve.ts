import { encodeOperator, KeptChain, type KeptToken } from '@florin/evm/local-chain/kept-chain';
import { COLLECTOR, COLLECTOR_ABI } from '@florin/evm/safe';
import { type Address, decodeFunctionResult, encodeFunctionData, erc20Abi, type Hex, isAddress, parseEther, parseUnits, toHex } from 'viem';
import { reasonOf } from '../report.ts';
import { createJsonRpcServer } from './json-rpc-server.ts';

/** The arguments of this process, as JSON. */
export type ChainNodeArguments = { file: string; port: number; chainId: number; tokens: readonly KeptToken[]; relayer: Address };

/** Methods that change nothing. The node has others, with which a chain could be made to show anything. */
const READS: ReadonlySet<string> = new Set([
  'eth_blockNumber',
  'eth_call',
  'eth_chainId',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getCode',
  'eth_getLogs',
  'eth_getProof',
  'eth_getStorageAt',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_maxPriorityFeePerGas',
  'eth_syncing',
  'net_version',
  'web3_clientVersion',
]);

/** The name by which the faucet pays the chain's own coin. */
const COIN = 'COIN';
/** Most of it that is paid at a time. */
const MOST_COINS = parseEther('1');

/** The relayer's coins at the start of this process, at least, and those that it gets otherwise. */
const RELAYER_LEAST = parseEther('100');
const RELAYER_COINS = parseEther('1000');

/** A chain on which nobody does anything has a new block that often: what watches it stops spending when it sees no new block for hours. */
const IDLE_MS = 900_000;

/** Pays tokens, or coins, to anyone. @returns the hash of the transaction @throws Error when the order is not understood */
const pay = async (chain: KeptChain, [to, symbol, amount]: readonly unknown[]): Promise<Hex> => {
  const token = chain.tokens.find((one) => one.symbol === symbol);
  if (typeof to !== 'string' || !isAddress(to, { strict: false }) || (token === undefined && symbol !== COIN))
    throw new Error(
      `florin_faucet: expected an address, one of ${[...chain.tokens.map((one) => one.symbol), COIN].join(', ')}, and an amount`,
    );
  if (typeof amount !== 'string' || !/^\d{1,9}(\.\d{1,18})?$/.test(amount))
    throw new Error('florin_faucet: the amount must be a decimal number of whole units');
  if (token === undefined) {
    const coins = parseEther(amount);
    if (coins > MOST_COINS) throw new Error('florin_faucet: at most one coin at a time');
    return chain.send({ from: chain.faucet, to: to as Address, value: toHex(coins) });
  }
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to as Address, parseUnits(amount, token.decimals)] });
  return chain.send({ from: chain.faucet, to: token.address, data });
};

/** Payments by the keys of their orders. A repeat after a restart pays again, which is on the chain too. */
const paid = new Map<unknown, Promise<Hex>>();

/** Pays an order, one with a key once. */
const payOnce = (chain: KeptChain, params: readonly unknown[]): Promise<Hex> => {
  const [, , , key] = params;
  const known = key === undefined ? undefined : paid.get(key);
  if (known !== undefined) return known;
  const paying = pay(chain, params);
  if (key !== undefined) paid.set(key, paying);
  paying.catch(() => paid.delete(key));
  return paying;
};

const answer = async (chain: KeptChain, method: string, params: readonly unknown[]): Promise<unknown> => {
  if (READS.has(method)) return chain.read(method, params);
  if (method === 'eth_sendRawTransaction') return chain.broadcast(params[0] as Hex);
  if (method === 'florin_faucet') return payOnce(chain, params);
  throw new Error(`the method ${method} is not available`);
};

/** Gives the relayer coins, and has the treasury make it an operator, unless it is. */
const welcome = async (chain: KeptChain, relayer: Address): Promise<void> => {
  const { faucet, treasury } = chain;
  if (BigInt(await chain.read<Hex>('eth_getBalance', [relayer, 'latest'])) < RELAYER_LEAST)
    await chain.send({ from: faucet, to: relayer, value: toHex(RELAYER_COINS) });
  const view = { abi: COLLECTOR_ABI, functionName: 'isOperator' } as const;
  const asked = { to: COLLECTOR.address, data: encodeFunctionData({ ...view, args: [treasury, relayer] }) };
  const data = await chain.read<Hex>('eth_call', [asked, 'latest']);
  if (!decodeFunctionResult({ ...view, data })) await chain.send({ from: treasury, to: COLLECTOR.address, data: encodeOperator(relayer) });
};

/** Serves the chain of `CHAIN=local` by JSON-RPC on the loopback interface, until it is told to stop. */
const main = async ({ file, port, relayer, ...settings }: ChainNodeArguments): Promise<void> => {
  const chain = await KeptChain.open(file, settings);
  await welcome(chain, relayer);
  await chain.mine();
  const server = createJsonRpcServer((method, params) => answer(chain, method, params));
  const idle = setInterval(() => void chain.mine().catch((error: unknown) => process.stderr.write(`${reasonOf(error)}\n`)), IDLE_MS);
  server.listen(port, '127.0.0.1', () => process.stdout.write(`the chain ${settings.chainId} is served on port ${port}\n`));
  const stop = async (): Promise<void> => {
    clearInterval(idle);
    server.close();
    server.closeAllConnections();
    await chain.close();
    process.exit(0);
  };
  for (const event of ['SIGTERM', 'SIGINT', 'disconnect']) process.once(event, () => void stop());
};

main(JSON.parse(process.argv[2] ?? '{}') as ChainNodeArguments).catch((error: unknown) => {
  process.stderr.write(`${reasonOf(error)}\n`);
  process.exit(1);
});
