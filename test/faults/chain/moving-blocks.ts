import type { TestToken } from '@florin/evm/local-chain/deploy-token';
import type { Evm } from '@florin/evm/local-chain/start-evm';
import { pause } from '@florin/rpc/time';
import { type Address, type Hex, pad, serializeTransaction, toFunctionSelector, toHex } from 'viem';
import { createTurns, type Turns } from './turns.ts';

const BLOCK_MS = 250;
/** Blocks after which one is final. */
const DEPTH = 4;
/** Of all blocks, before this many the chain is reorganized. */
const SHARE = 0.3;
/** Of the dropped payments from the funded account, this many never come again. */
const VANISHING = 0.5;
/** Of the dropped transactions of the relayer, this many come again by the relayer alone. */
const LEFT_TO_RELAYER = 0.5;

const TRANSFER = toFunctionSelector('transfer(address,uint256)');

type Transaction = {
  hash: Hex;
  from: Address;
  to: Address;
  chainId: Hex;
  nonce: Hex;
  value: Hex;
  input: Hex;
  gas: Hex;
  maxFeePerGas: Hex;
  maxPriorityFeePerGas: Hex;
  v: Hex;
  r: Hex;
  s: Hex;
};

/** The signed transaction, from what a node shows of it (EIP-1559). */
const rawOf = ({ chainId, nonce, to, value, input, gas, maxFeePerGas, maxPriorityFeePerGas, v, r, s }: Transaction): Hex =>
  serializeTransaction(
    {
      type: 'eip1559',
      chainId: Number(chainId),
      nonce: Number(nonce),
      to,
      value: BigInt(value),
      data: input,
      gas: BigInt(gas),
      maxFeePerGas: BigInt(maxFeePerGas),
      maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas),
    },
    { r: pad(r), s: pad(s), yParity: Number(v) },
  );

export type MovingBlocks = Turns & {
  /** Number of the newest final block. */
  finalized: () => number;
  /** Does work during which the chain is not reorganized, and which is final afterwards. */
  untilFinal: <T>(work: () => Promise<T>) => Promise<T>;
  /** The history so far: reorganizations, transactions that they dropped, and those of them that never come again. */
  reorganized: () => { times: number; dropped: number; vanished: number };
  /** Reports whether a payment is in no block any more, and never will be. */
  hasVanished: (txHash: Hex) => boolean;
  /** @throws what has ended the mining */
  close: () => Promise<void>;
};

type Parts = {
  evm: Evm;
  token: TestToken;
  relayer: Address;
  /** Uniform in [0, 1). */
  random: () => number;
  /** Reports whether the chain is not reorganized at present. */
  calm: () => boolean;
};

/**
 * Mines blocks at even intervals, which are final some blocks later. Before that, the newest ones are replaced at times: by blocks in which their transactions
 * come again, together and after another one, so at other places, or only once the relayer sends them again, or never.
 * All use of the chain goes through `together`.
 */
export const startMovingBlocks = async ({ evm, token, relayer, random, calm }: Parts): Promise<MovingBlocks> => {
  const { rpc, blockNumber } = evm;
  const [payer = '0x', other = '0x'] = await rpc<Address[]>('eth_accounts');
  const turns = createTurns();
  const vanished = new Set<Hex>();
  let snapshots: { height: number; id: Hex }[] = [];
  let final = 0;
  let [times, dropped] = [0, 0];

  const isOf = (address: Address, { from }: Transaction): boolean => from.toLowerCase() === address.toLowerCase();

  const comeAgain = async (transaction: Transaction): Promise<void> => {
    const { hash, to, nonce, input } = transaction;
    // A freeze comes again.
    const isPayment = isOf(payer, transaction) && to === token.address.toLowerCase() && input.startsWith(TRANSFER);
    if (isPayment && random() < VANISHING) {
      vanished.add(hash);
      // Those after it come again.
      await rpc('eth_sendTransaction', [{ from: payer, to: payer, nonce }]);
    } else if (!isOf(relayer, transaction) || random() >= LEFT_TO_RELAYER) await rpc('eth_sendRawTransaction', [rawOf(transaction)]);
  };

  const reorganize = async ({ height, id }: { height: number; id: Hex }, head: number): Promise<void> => {
    const transactions: Transaction[] = [];
    const waiting = await rpc<Transaction[]>('eth_pendingTransactions');
    for (let number = height + 1; number <= head; number += 1) {
      transactions.push(...(await rpc<{ transactions: Transaction[] }>('eth_getBlockByNumber', [toHex(number), true])).transactions);
    }
    await rpc('evm_revert', [id]);
    // Transactions that waited when the snapshot was made wait again by themselves, and a node refuses to be told of them twice.
    const known = new Set((await rpc<Transaction[]>('eth_pendingTransactions')).map(({ hash }) => hash));
    snapshots = snapshots.filter((one) => one.height < height);
    await rpc('evm_setAutomine', [false]);
    times += 1;
    // Never the same: the new blocks are others, and what comes after its event has another place in them.
    const data = token.transfer(pad(toHex(times), { size: 20 }), 0n);
    await rpc('eth_sendTransaction', [{ from: other, to: token.address, data }]);
    dropped += transactions.filter((one) => !isOf(other, one)).length;
    const lost = [...transactions, ...waiting].filter((one) => !isOf(other, one) && !known.has(one.hash));
    for (const transaction of lost) await comeAgain(transaction);
    await evm.mine();
    await rpc('evm_setAutomine', [true]);
  };

  const next = async (): Promise<void> => {
    const head = await blockNumber();
    final = Math.max(final, head - DEPTH);
    snapshots = snapshots.filter(({ height }) => height >= final);
    const from = calm() || random() >= SHARE ? undefined : snapshots[Math.floor(random() * snapshots.length)];
    if (from !== undefined) await reorganize(from, head);
    snapshots.push({ height: await blockNumber(), id: await rpc<Hex>('evm_snapshot') });
    await evm.mine();
  };

  let closed = false;
  const mineOnAndOn = async (): Promise<void> => {
    while (!closed) {
      await turns.alone(next);
      await pause(BLOCK_MS);
    }
  };
  const mining = mineOnAndOn();
  // The caller of close learns of it; until then everybody waits in vain.
  mining.catch(() => undefined);
  return {
    ...turns,
    finalized: () => final,
    untilFinal: (work) =>
      turns.alone(async () => {
        const result = await work();
        final = await blockNumber();
        return result;
      }),
    reorganized: () => ({ times, dropped, vanished: vanished.size }),
    hasVanished: (txHash) => vanished.has(txHash),
    close: async () => {
      closed = true;
      await mining;
    },
  };
};
