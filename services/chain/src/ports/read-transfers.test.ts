import { describe, expect, it } from 'vitest';
import { fakeAddress } from '../testing/fake-chain.ts';
import { readTransfers, TRANSFER } from './read-transfers.ts';

const [TOKEN, ALICE, BOB] = [fakeAddress('token'), fakeAddress('alice'), fakeAddress('bob')];
const BLOCK = `0x${'b'.repeat(64)}` as const;
const TRANSACTION = `0x${'c'.repeat(64)}` as const;
const topicOf = (address: string): string => `0x${'0'.repeat(24)}${address.slice(2)}`;
const LOG = {
  address: TOKEN,
  topics: [TRANSFER, topicOf(ALICE), topicOf(BOB)],
  data: `0x${'f'.padStart(64, '0')}`,
  blockHash: BLOCK,
  transactionHash: TRANSACTION,
  logIndex: '0x1a',
};
const read = (...logs: unknown[]) => readTransfers(logs, BLOCK, [TOKEN]);

describe('the transfers that a node returns', () => {
  it('are read in order, in lower case, with fields that say nothing about them left out', () => {
    const upper = { ...LOG, address: `0x${TOKEN.slice(2).toUpperCase()}`, transactionHash: `0x${'C'.repeat(64)}` };
    const all = read({ ...upper, logIndex: '0x0', removed: false, blockNumber: '0x1' }, LOG);
    const transfer = { contract: TOKEN, from: ALICE, to: BOB, amount: 15n, txHash: TRANSACTION };
    expect(all).toEqual([
      { ...transfer, blockLogIndex: 0 },
      { ...transfer, blockLogIndex: 26 },
    ]);
    expect(read({ ...LOG, data: `0x${'f'.repeat(64)}` })[0]?.amount).toBe(2n ** 256n - 1n);
  });

  it.each<[string, unknown]>([
    ['no object', 'log'],
    ['null', null],
    ['no address', { ...LOG, address: undefined }],
    ['a short address', { ...LOG, address: TOKEN.slice(0, -1) }],
    ['no topics', { ...LOG, topics: undefined }],
    ['another event', { ...LOG, topics: [topicOf(ALICE), topicOf(ALICE), topicOf(BOB)] }],
    ['sender and recipient not indexed', { ...LOG, topics: [TRANSFER] }],
    ['the amount indexed', { ...LOG, topics: [...LOG.topics, LOG.data], data: '0x' }],
    ['bits before an address', { ...LOG, topics: [TRANSFER, topicOf(ALICE).replace('0x0', '0x1'), topicOf(BOB)] }],
    ['no amount', { ...LOG, data: '0x' }],
    ['more than an amount', { ...LOG, data: `${LOG.data}00` }],
    ['an amount that is a number', { ...LOG, data: 15 }],
    ['a line break after the amount', { ...LOG, data: `${LOG.data}\n` }],
    ['no block', { ...LOG, blockHash: null }],
    ['no transaction', { ...LOG, transactionHash: '0x' }],
    ['a position with leading zeros', { ...LOG, logIndex: '0x01' }],
    ['a position beyond what is exact', { ...LOG, logIndex: `0x1${'0'.repeat(13)}` }],
    ['a place in a block that was dropped', { ...LOG, removed: true }],
  ])('are rejected with %s', (_name, log) => {
    expect(() => read(log)).toThrow('eth_getLogs returned a result of an unknown form');
  });

  it.each<[string, unknown[], string]>([
    ['of another block', [{ ...LOG, blockHash: TRANSACTION }], 'not asked for'],
    ['of another contract', [{ ...LOG, address: ALICE }], 'not asked for'],
    ['twice', [LOG, LOG], 'out of order'],
    ['in reverse', [LOG, { ...LOG, logIndex: '0x2' }], 'out of order'],
  ])('are rejected %s', (_name, logs, message) => {
    expect(() => read(...logs)).toThrow(message);
  });

  it('are a list', () => {
    expect(() => readTransfers({ 0: LOG }, BLOCK, [TOKEN])).toThrow('unknown form');
    expect(readTransfers([], BLOCK, [TOKEN])).toEqual([]);
  });
});
