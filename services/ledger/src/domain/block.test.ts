import { DEFAULT_ASSETS } from '@florin/rpc/assets';
import { describe, expect, it } from 'vitest';
import { type Block, encodeEntries, GENESIS, hashBlock, sealBlock } from './block.ts';
import { depositSeen } from './deposit.ts';
import type { Entry } from './entry.ts';
import { createWholeState } from './shard-state.ts';

const AT = new Date(1000);

describe('a block', () => {
  it('has another hash when anything in it is another', () => {
    const [token] = DEFAULT_ASSETS.tokens;
    if (token === undefined) throw new Error('no token');
    const proposal = depositSeen({ chainId: 100, txHash: '0x1', logIndex: 0 }, 'a', token, 5n).propose(createWholeState(), AT);
    if (typeof proposal === 'string') throw new Error(proposal);
    const one: Entry = { ...proposal, booked: [0n] };
    const blockOf = (...entries: Entry[]) => sealBlock(GENESIS, { shard: '0', epoch: 1, at: new Date(0), body: encodeEntries(entries) });
    const base = blockOf(one);
    const [transfer] = one.transfers;
    if (transfer === undefined) throw new Error('no transfer');
    const variants: Block[] = [
      { ...base, shard: '1' },
      { ...base, n: 2 },
      { ...base, epoch: 2 },
      { ...base, prevHash: base.hash },
      { ...base, at: new Date(1) },
      blockOf(),
      blockOf(one, one),
      blockOf({ ...one, id: 'y' }),
      blockOf({ ...one, kind: 'deposit.approved' }),
      blockOf({ ...one, accountId: 'b' }),
      blockOf({ ...one, inputHash: 'y' }),
      blockOf({ ...one, booked: [1n] }),
      blockOf({ ...one, data: { ...one.data, more: '' } }),
      blockOf({ ...one, transfers: [{ ...transfer, amount: 6n }] }),
      blockOf({ ...one, transfers: [{ ...transfer, token: 'GBPe' }] }),
      blockOf({ ...one, transfers: [{ ...transfer, debit: transfer.credit, credit: transfer.debit }] }),
    ];
    expect(new Set([base, ...variants].map(hashBlock)).size).toBe(variants.length + 1);
    const reordered = { ...one, data: Object.fromEntries(Object.entries(one.data).reverse()) };
    expect(blockOf(reordered).hash).toBe(base.hash);
  });
});
