import { createHash } from 'node:crypto';
import type { Hex } from '@florin/evm/hex';
import type { ChainNode } from '../ports/chain-node.ts';

/** A Transfer event of a transaction; undefined is an event of another kind, which only takes a place. */
export type FakeEvent = { contract: Hex; from: Hex; to: Hex; amount: bigint } | undefined;
/** An event that concerns control, in the transaction besides its other events. */
export type FakeControlEvent = { contract: Hex; topic: Hex; subject?: Hex };
export type FakeTransaction = { hash: Hex; events: readonly FakeEvent[]; control?: readonly FakeControlEvent[] };
export type FakeBlock = { number: number; hash: Hex; parentHash: Hex; transactions: readonly FakeTransaction[] };

const hashOf = (text: string): Hex => `0x${createHash('sha256').update(text).digest('hex')}`;

/** An address that stands for a name. */
export const fakeAddress = (name: string): Hex => hashOf(name).slice(0, 42) as Hex;

/** A chain in memory that can be reorganized, also past finality. */
export const createFakeChain = () => {
  let made = 0;
  const blocks: FakeBlock[] = [{ number: 0, hash: hashOf('genesis'), parentHash: hashOf('nothing'), transactions: [] }];
  let finalized = 0;
  /** Changes of balances without an event. */
  const silent: { number: number; contract: Hex; holder: Hex; amount: bigint }[] = [];

  const newest = (): FakeBlock => {
    const last = blocks.at(-1);
    if (last === undefined) throw new Error('the chain has no block');
    return last;
  };
  let time = new Date();
  const mine = (transactions: readonly FakeTransaction[] = []): FakeBlock => {
    made += 1;
    time = new Date();
    const parent = newest();
    const block = { number: parent.number + 1, hash: hashOf(`block ${made}`), parentHash: parent.hash, transactions };
    blocks.push(block);
    return block;
  };

  return {
    mine,
    newest,
    /** When the newest block was made. */
    time: (): Date => time,
    blocks: (): readonly FakeBlock[] => blocks,
    finalized: () => finalized,
    /** Changes a balance without an event, from the newest block on. */
    changeSilently: (contract: Hex, holder: Hex, amount: bigint) => void silent.push({ number: newest().number, contract, holder, amount }),
    /** A balance as of a block, from all events up to it. */
    balanceAt: (number: number, contract: Hex, holder: Hex): bigint => {
      const moved = blocks
        .slice(0, number + 1)
        .flatMap(({ transactions }) => transactions.flatMap(({ events }) => events))
        .reduce((sum, event) => {
          if (event?.contract !== contract) return sum;
          return sum + (event.to === holder ? event.amount : 0n) - (event.from === holder ? event.amount : 0n);
        }, 0n);
      return silent
        .filter((one) => one.number <= number && one.contract === contract && one.holder === holder)
        .reduce((sum, { amount }) => sum + amount, moved);
    },
    /** Makes a transaction that is in no block yet. */
    transaction: (events: readonly FakeEvent[], control: readonly FakeControlEvent[] = []): FakeTransaction => {
      made += 1;
      return { hash: hashOf(`transaction ${made}`), events, control };
    },
    /** Enabled modules, each with its avatar. */
    modules: new Map<Hex, Hex>(),
    /** Declares the blocks up to this number final. */
    finalize: (number: number = newest().number) => {
      finalized = number;
    },
    /** Puts blocks that were removed on the newest one, as a branch that wins again. */
    restore: (branch: readonly FakeBlock[]) => void blocks.push(...branch),
    /** Removes the newest blocks, final ones too. @returns their transactions, which are in no block then */
    drop: (count: number): FakeTransaction[] => blocks.splice(blocks.length - count, count).flatMap(({ transactions }) => transactions),
  };
};

export type FakeChain = ReturnType<typeof createFakeChain>;

/** How a node of the chain differs from an honest one that knows everything. Read at each query. */
export type NodeTrouble = {
  /** Blocks that the node does not know yet. */
  lag?: () => number;
  /** Reports whether this query fails. */
  fails?: () => boolean;
  /** Reports whether this query is answered with lies. */
  lies?: () => boolean;
};

let nodesMade = 0;

/** A node that shows the chain. Two nodes never tell the same lie. */
export const createFakeNode = (chain: FakeChain, { lag = () => 0, fails = () => false, lies = () => false }: NodeTrouble = {}) => {
  nodesMade += 1;
  const id = nodesMade;
  let queries = 0;
  const view = (): readonly FakeBlock[] => {
    queries += 1;
    if (fails()) throw new Error('the node does not respond');
    return chain.blocks().slice(0, Math.max(1, chain.blocks().length - lag()));
  };
  const eventsOf = ({ transactions }: FakeBlock) =>
    transactions
      .flatMap(({ hash, events }) => events.map((event, position) => ({ txHash: hash, event, position })))
      .map((event, blockLogIndex) => ({ ...event, blockLogIndex }));
  const byHash = (hash: Hex): FakeBlock => {
    const block = view().find((one) => one.hash === hash);
    if (block === undefined) throw new Error('the node does not know the block');
    return block;
  };

  const header: ChainNode['header'] = async (number) => {
    const block = view()[number];
    if (block === undefined) throw new Error('the node does not know the block');
    const { hash, parentHash } = block;
    return { number, parentHash, hash: lies() ? hashOf(`lie ${id} ${hash}`) : hash };
  };
  const controlEventsOf = (blockHash: Hex) => {
    const told = byHash(blockHash).transactions.flatMap(({ hash, control = [] }) => control.map((event) => ({ ...event, txHash: hash })));
    return (lies() ? [] : told).map((event, blockLogIndex) => ({ ...event, blockLogIndex }));
  };

  const transfersOf = (blockHash: Hex, contracts: readonly Hex[]) => {
    const told = eventsOf(byHash(blockHash)).flatMap(({ txHash, event, blockLogIndex }) =>
      event === undefined || !contracts.includes(event.contract) ? [] : [{ ...event, txHash, blockLogIndex }],
    );
    return lies() ? told.map((transfer) => ({ ...transfer, amount: transfer.amount + BigInt(id) })) : told;
  };

  const node: ChainNode = {
    chainId: async () => {
      view();
      return 100;
    },
    headNumber: async () => view().length - 1,
    controlEvents: async (blockHashes) => blockHashes.map(controlEventsOf),
    avatars: async (blockHash, modules) => {
      byHash(blockHash);
      return modules.map((module) => chain.modules.get(module));
    },
    finalizedNumber: async () => Math.min(chain.finalized(), view().length - 1),
    blockTime: async () => chain.time(),
    header,
    headers: (numbers) => Promise.all(numbers.map(header)),
    transfers: async (blockHashes, contracts) => blockHashes.map((blockHash) => transfersOf(blockHash, contracts)),
    balances: async (blockHash, holdings) => {
      const { number } = byHash(blockHash);
      const told = lies() ? BigInt(id) : 0n;
      return holdings.map(({ contract, holder }) => chain.balanceAt(number, contract, holder) + told);
    },
    receiptEvents: async ({ txHash, blockHash }) => {
      const events = eventsOf(byHash(blockHash)).filter((one) => one.txHash === txHash);
      if (events.length === 0) throw new Error('the node does not know the transaction');
      const told = lies() ? -id : 0;
      return events.map(({ blockLogIndex }) => blockLogIndex + told);
    },
  };
  return { ...node, queries: () => queries };
};
