import { createHash } from 'node:crypto';

/** Topic of `Transfer(address,address,uint256)` (EIP-20). */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** A node's responses about a block, as JSON that is sent unchanged. */
type PreparedBlock = { hash: string; header: string; transferLogs: string };

/** Blocks to add: so many, each with so many transfers, in transactions of their own. Every n-th transfer goes to one of the Safes, in turn. */
export type Batch = { blocks: number; transfers: number; everyNth: number; safes: readonly string[] };

const hashOf = (text: string): string => `0x${createHash('sha256').update(text).digest('hex')}`;
const addressOf = (text: string): string => hashOf(text).slice(0, 42);
const toQuantity = (value: number): string => `0x${value.toString(16)}`;
const toWord = (address: string): string => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;

/** A chain of blocks with transfers of one token, each of one smallest unit. Strangers have addresses of their own in each transfer. */
export const createPreparedChain = (token: string) => {
  const blocks: PreparedBlock[] = [];
  const byHash = new Map<string, PreparedBlock>();
  const receipts = new Map<string, string>();
  let transfersMade = 0;
  let toSafes = 0;

  const addBlock = ({ transfers, everyNth, safes }: Batch): void => {
    const number = toQuantity(blocks.length);
    const hash = hashOf(`block ${blocks.length}`);
    const parentHash = blocks.at(-1)?.hash ?? hashOf('nothing');
    const logs = Array.from({ length: transfers }, (_, index) => {
      transfersMade += 1;
      const transactionHash = hashOf(`transaction ${transfersMade}`);
      const isOurs = safes.length > 0 && transfersMade % everyNth === 0;
      const to = isOurs ? (safes[toSafes % safes.length] ?? '') : addressOf(`receiver ${transfersMade}`);
      if (isOurs) toSafes += 1;
      const [blockNumber, blockHash, logIndex, transactionIndex] = [number, hash, toQuantity(index), toQuantity(index)];
      const topics = [TRANSFER, toWord(addressOf(`sender ${transfersMade}`)), toWord(to)];
      const place = { blockNumber, blockHash, transactionHash, transactionIndex, logIndex, removed: false };
      const log = { address: token, topics, data: `0x${'1'.padStart(64, '0')}`, ...place };
      if (isOurs) receipts.set(transactionHash, JSON.stringify({ transactionHash, blockNumber, blockHash, status: '0x1', logs: [log] }));
      return log;
    });
    const transactions = logs.map(({ transactionHash }) => transactionHash);
    const header = { number, hash, parentHash, timestamp: toQuantity(1_700_000_000 + blocks.length * 5), transactions };
    const block = { hash, header: JSON.stringify(header), transferLogs: JSON.stringify(logs) };
    blocks.push(block);
    byHash.set(hash, block);
  };
  addBlock({ blocks: 1, transfers: 0, everyNth: 1, safes: [] });

  return {
    add: (batch: Batch): void => {
      for (let count = 0; count < batch.blocks; count += 1) addBlock(batch);
    },
    head: (): number => blocks.length - 1,
    header: (number: number): string | undefined => blocks[number]?.header,
    /** Of a block, by its hash. */
    transferLogs: (hash: string): string | undefined => byHash.get(hash)?.transferLogs,
    /** Of a transaction to a Safe; those of others are never asked for. */
    receipt: (transactionHash: string): string | undefined => receipts.get(transactionHash),
  };
};
