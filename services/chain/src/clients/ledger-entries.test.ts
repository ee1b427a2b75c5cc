import { randomUUID } from 'node:crypto';
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { type EntrySumsSchema, type SumEntriesRequest, SumEntriesResponseSchema } from '@florin/proto/ledger/v1/entry_service';
import type { RpcChannel } from '@florin/rpc/client';
import { CodedError } from '@florin/rpc/errors';
import { describe, expect, it } from 'vitest';
import { createLedgerEntriesClient, nettingId } from './ledger-entries.ts';

type Sums = MessageInitShape<typeof EntrySumsSchema>;

/** A ledger that has these pages of sums of each account, and counts its calls. */
const ledgerOf = (pages: ReadonlyMap<string, readonly Sums[]>, unreadable = '') => {
  const calls: number[] = [];
  const sumEntries = async ({ accounts }: Pick<SumEntriesRequest, 'accounts'>) => {
    calls.push(accounts.length);
    if (accounts.some(({ accountId }) => accountId === unreadable)) throw new CodedError('INTERNAL_ERROR');
    const sums = accounts.map(({ accountId, cursor }): Sums => {
      const own = pages.get(accountId) ?? [];
      const at = Number(cursor);
      return { ...own[at], accountId, nextCursor: at + 1 < own.length ? String(at + 1) : '' };
    });
    return create(SumEntriesResponseSchema, { sums });
  };
  return { calls, client: createLedgerEntriesClient({ client: () => ({ sumEntries }) } as unknown as RpcChannel) };
};

const BALANCES = { settling: '5', held: '2', incoming: '1' };

describe('sums of an account', () => {
  it('are asked for together, and added up over their pages', async () => {
    const [one, other, none] = [randomUUID(), randomUUID(), randomUUID()];
    const sums = { token: 'EURe', booked: '10', elsewhere: '-3', refused: '1', ...BALANCES };
    const { calls, client } = ledgerOf(
      new Map([
        [one, [{ tokens: [sums] }, { tokens: [{ ...sums, booked: '-4' }] }]],
        [other, [{ tokens: [sums] }]],
      ]),
    );
    const [ofOne, ofOther, ofNone] = await Promise.all([one, other, none].map((id) => client.totals(id)));
    const parts = { settling: 5n, held: 2n, incoming: 1n, nettings: 0, netted: 0n };
    expect(ofOne).toEqual(new Map([['EURe', { booked: 6n, elsewhere: -6n, refused: 2n, ...parts }]]));
    expect(ofOther).toEqual(new Map([['EURe', { booked: 10n, elsewhere: -3n, refused: 1n, ...parts }]]));
    expect(ofNone).toEqual(new Map());
    expect(calls).toEqual([3, 1]);
  });

  it('are those of all accounts but the one whose entries cannot be read', async () => {
    const ids = Array.from({ length: 8 }, () => randomUUID());
    const sums = { token: 'EURe', booked: '10', elsewhere: '0', refused: '0', ...BALANCES };
    const { client } = ledgerOf(new Map(ids.map((id) => [id, [{ tokens: [sums] }]])), ids[3]);
    const found = await Promise.allSettled(ids.map((id) => client.totals(id)));
    expect(found.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual([3]);
    expect(found[3]).toMatchObject({ reason: { code: 'INTERNAL_ERROR' } });
  });

  it('count the nettings of a token from the first one on, wherever their pages end', async () => {
    const id = randomUUID();
    const sums = ['EURe', 'GBPe'].map((token) => ({ token, booked: '0', elsewhere: '0', refused: '0', ...BALANCES }));
    const settled = (n: number, amount: string) => ({ entryId: nettingId(id, 'EURe', n), token: 'EURe', amount });
    const foreign = { entryId: randomUUID(), token: 'EURe', amount: '100' };
    const { client } = ledgerOf(
      new Map([
        [
          id,
          [
            { tokens: sums, settled: [settled(2, '7'), foreign] },
            { tokens: sums, settled: [settled(1, '-2'), settled(0, '4')] },
          ],
        ],
      ]),
    );
    const totals = await client.totals(id);
    expect(totals.get('EURe')).toMatchObject({ nettings: 3, netted: 9n });
    expect(totals.get('GBPe')).toMatchObject({ nettings: 0, netted: 0n });
  });
});
