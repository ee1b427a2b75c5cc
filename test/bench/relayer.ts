import { type Evm, startEvm } from '@florin/evm/local-chain/start-evm';
import { prepareEvm } from '@florin/local';
import { processEnvironment } from '@florin/rpc/config';
import { pause } from '@florin/rpc/time';
import mongoose from 'mongoose';
import { type Address, encodeFunctionData, erc20Abi, type Hex, toHex } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { installCollection } from '../support/evm-collection.ts';
import { evmTokens } from '../support/evm-tokens.ts';
import { onChainEure } from '../support/on-chain-eure.ts';
import { measureProcessor, startCheckout } from './checkouts.ts';
import type { Row } from './row.ts';
import { sized } from './sized.ts';

const CHAIN_ID = 100;
/** Transactions that the platform is to be able to send in a day. */
const WANTED = 100_000;
const RELAYERS = 2;
const JOBS = sized(800, 40);
/** Blocks and looks of the relayers come five times as fast as on Gnosis, where a block takes 5 s, with the default of `CHAIN_POLL_MS`. */
const BLOCK_MS = 1000;
const POLL_MS = 400;
const GNOSIS_BLOCK_SECONDS = 5;
const DAY_SECONDS = 86_400;
const LOOK_MS = 500;
/** Longest time without a further job that is done. */
const STALLED_MS = 120_000;
const COINS = '0x56bc75e2d63100000';

/** The blocks after a number that hold transactions of some senders. */
const blocksOf = async (evm: Evm, senders: ReadonlySet<string>, first: number): Promise<number> => {
  let blocks = 0;
  for (let number = first + 1, last = await evm.blockNumber(); number <= last; number += 1) {
    const { transactions } = await evm.rpc<{ transactions: { from: string }[] }>('eth_getBlockByNumber', [toHex(number), true]);
    if (transactions.some(({ from }) => senders.has(from))) blocks += 1;
  }
  return blocks;
};

/**
 * The relayers of a platform carry out jobs that are put into their queue past the RPCs: each is simulated, signed, stored, broadcast, mined and found in a final block. The
 * chain is Hardhat's, in this process.
 */
export const benchRelayer = async (report: (line: string) => void): Promise<Row[]> => {
  if (!(await prepareEvm(processEnvironment(), report))) throw new Error('the benchmark needs a local chain');
  const evm = await startEvm(CHAIN_ID);
  const tokens = await evmTokens(evm);
  const eure = await tokens.deploy('EURe');
  const { environment } = await installCollection(evm, eure);
  const keys = Array.from({ length: RELAYERS }, generatePrivateKey);
  const relayers = keys.map(privateKeyToAddress);
  for (const relayer of relayers) {
    await evm.rpc('hardhat_setBalance', [relayer, COINS]);
    await tokens.pay(eure, relayer, BigInt(JOBS));
  }
  const { CHAIN_RELAYER_KEY: _one, CHAIN_COLLECTION: _terms, ...custody } = environment;
  const checkout = await startCheckout({}, report, {
    ...onChainEure({ address: eure }),
    ...custody,
    CHAIN_RELAYER_KEYS: keys.join(','),
    CHAIN_RPC_URLS: JSON.stringify({ [CHAIN_ID]: evm.url }),
    CHAIN_POLL_MS: String(POLL_MS),
    RECONCILE_ACCOUNTS_PER_SECOND: '0',
    RESERVES_INTERVAL_SECONDS: '0',
  });
  const database = await mongoose.createConnection(checkout.platform.mongodbUri, { dbName: 'florin_chain' }).asPromise();
  const jobs = database.collection<{ _id: string; status: string }>('relay_jobs');

  const relay = async (): Promise<void> => {
    const [to] = await evm.rpc<Address[]>('eth_accounts');
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to as Address, 1n] });
    const job = { chainId: CHAIN_ID, to: eure, data: data as Hex, gas: '100000', status: 'queued', attempts: [] };
    await jobs.insertMany(Array.from({ length: JOBS }, (_, index) => ({ _id: `bench/${index}`, ...job, createdAt: new Date(index) })));
    let [done, at] = [0, performance.now()];
    while (done < JOBS) {
      await pause(LOOK_MS);
      const now = await jobs.countDocuments({ status: 'done' });
      if (now === done && performance.now() - at > STALLED_MS) throw new Error(`only ${now} of ${JOBS} jobs were carried out`);
      if (now === done) continue;
      report(`${now} of ${JOBS} transactions are final`);
      [done, at] = [now, performance.now()];
    }
  };

  try {
    const first = await evm.blockNumber();
    await evm.rpc('evm_setAutomine', [false]);
    await evm.rpc('evm_setIntervalMining', [BLOCK_MS]);
    const { processor } = await measureProcessor([checkout], checkout, relay);
    await evm.rpc('evm_setIntervalMining', [0]);
    const perBlock = JOBS / (await blocksOf(evm, new Set(relayers.map((one) => one.toLowerCase())), first));
    processor.delete('load generator');
    const used = (names: Iterable<string>) => [...names].reduce((sum, name) => sum + (processor.get(name) ?? 0), 0) / JOBS / 1000;
    const ofChain = used(['chain']);
    const bySlots = (perBlock * DAY_SECONDS) / GNOSIS_BLOCK_SECONDS;
    const byProcessor = (DAY_SECONDS * 1000) / ofChain;
    const peer = `${WANTED} wanted`;
    const aDay = (name: string, value: number): Row => ({ name, value, unit: 'a day', peer, ratio: value / WANTED });
    return [
      { name: `transactions in a block, ${RELAYERS} relayers`, value: perBlock, unit: '' },
      { name: 'processor time per transaction: chain', value: ofChain, unit: 'ms' },
      { name: 'processor time per transaction: all processes, engines included', value: used(processor.keys()), unit: 'ms' },
      aDay(`transactions with blocks every ${GNOSIS_BLOCK_SECONDS} s, ${RELAYERS} relayers`, bySlots),
      aDay('transactions with one core for chain', byProcessor),
    ];
  } finally {
    await database.close();
    await checkout.stop();
    await evm.close();
  }
};
