import type { Hex } from '@florin/evm/hex';
import type { TokenTransfer } from '../domain/transfer.ts';

/** Topic of `Transfer(address,address,uint256)` (EIP-20). */
export const TRANSFER: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
/** An address as an indexed argument: 32 bytes, the first twelve zero. */
const ADDRESS_TOPIC = /^0x0{24}[0-9a-fA-F]{40}$/;
const WORD = /^0x[0-9a-fA-F]{64}$/;
const QUANTITY = /^0x(?:0|[1-9a-f][0-9a-f]{0,12})$/;

type RawLog = Readonly<Record<string, unknown>>;

const unknownForm = (field: string): Error => new Error(`eth_getLogs returned a result of an unknown form: ${field}`);

const notAskedFor = (): Error => new Error('eth_getLogs returned events that were not asked for');

const hex = (value: unknown, pattern: RegExp, field: string): Hex => {
  if (typeof value !== 'string' || !pattern.test(value)) throw unknownForm(field);
  return value.toLowerCase() as Hex;
};

const readTransfer = (log: RawLog | null, wantedBlock: Hex): TokenTransfer => {
  if (typeof log !== 'object' || log === null) throw unknownForm('log');
  const { address, topics, data, blockHash, transactionHash, logIndex, removed } = log;
  if (!Array.isArray(topics) || topics.length !== 3 || topics[0] !== TRANSFER) throw unknownForm('topics');
  if (hex(blockHash, WORD, 'blockHash') !== wantedBlock) throw notAskedFor();
  if (removed !== undefined && removed !== false) throw unknownForm('removed');
  return {
    contract: hex(address, ADDRESS, 'address'),
    from: `0x${hex(topics[1], ADDRESS_TOPIC, 'topics').slice(-40)}`,
    to: `0x${hex(topics[2], ADDRESS_TOPIC, 'topics').slice(-40)}`,
    amount: BigInt(hex(data, WORD, 'data')),
    txHash: hex(transactionHash, WORD, 'transactionHash'),
    blockLogIndex: Number(hex(logIndex, QUANTITY, 'logIndex')),
  };
};

/**
 * Reads the transfers that a node returned of some contracts in a block, in order. By hand, without a schema: almost all of them are of strangers, and they
 * are most of what the watching reads.
 * @throws Error for a transfer in any other form: a token that was upgraded to it must not go unnoticed
 */
export const readTransfers = (logs: unknown, wantedBlock: Hex, contracts: readonly Hex[]): TokenTransfer[] => {
  if (!Array.isArray(logs)) throw unknownForm('');
  let last = -1;
  return logs.map((log: RawLog | null): TokenTransfer => {
    const transfer = readTransfer(log, wantedBlock);
    if (!contracts.includes(transfer.contract)) throw notAskedFor();
    if (transfer.blockLogIndex <= last) throw new Error('eth_getLogs returned events out of order');
    last = transfer.blockLogIndex;
    return transfer;
  });
};
