import { randomUUID } from 'node:crypto';
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { type EntrySumsSchema, type SumEntriesRequest, SumEntriesResponseSchema } from '@florin/proto/ledger/v1/entry_service';
import type { RpcChannel } from '@florin/rpc/client';
import { CodedError } from '@florin/rpc/errors';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KnownSums } from '../domain/entry-sums.ts';
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

describe('known sums of an account', () => {
  /** An entry of a journal, with the number of its place: entries of a journal that was restored have others. */
  type Entry = { place: number; token: string; booked: bigint; elsewhere: bigint; isNetting: boolean };

  /** A ledger that returns as many entries of an account as a page has, newest first, as SumEntries does. */
  const pagedLedger = (id: string, page: number) => {
    const journal: Entry[] = [];
    const sumEntries = async ({ accounts }: Pick<SumEntriesRequest, 'accounts'>) => {
      const sums = accounts.map(({ accountId, cursor, after }): Sums => {
        const end = cursor === '' ? journal.length : Number(cursor);
        const known = journal.findIndex(({ place }) => String(place) === after);
        const begin = Math.max(known + 1, end - page);
        const entries = journal.slice(begin, end);
        const isLast = begin === known + 1;
        const tokens = [...new Set(journal.map(({ token }) => token))].map((token) => {
          const own = entries.filter((one) => one.token === token);
          const sum = (part: 'booked' | 'elsewhere') => String(own.reduce((before, one) => before + one[part], 0n));
          return { token, booked: sum('booked'), elsewhere: sum('elsewhere'), refused: '0', ...BALANCES };
        });
        const settled = entries.flatMap(({ place, token, elsewhere, isNetting }) => {
          const n = journal.filter(
            (one) => one.isNetting && one.token === token && journal.indexOf(one) < journal.findIndex((own) => own.place === place),
          );
          return isNetting ? [{ entryId: nettingId(id, token, n.length), token, amount: String(elsewhere) }] : [];
        });
        const newest = cursor === '' ? journal.at(-1)?.place : undefined;
        return {
          ...{ accountId, tokens, settled, follows: isLast && known !== -1 },
          ...{ position: String(newest ?? ''), nextCursor: isLast ? '' : String(begin) },
        };
      });
      return create(SumEntriesResponseSchema, { sums });
    };
    return { journal, client: createLedgerEntriesClient({ client: () => ({ sumEntries }) } as unknown as RpcChannel) };
  };

  const step = fc.oneof(
    { weight: 5, arbitrary: fc.record({ token: fc.constantFrom('EURe', 'GBPe'), amount: fc.bigInt(-9n, 9n), isNetting: fc.boolean() }) },
    { weight: 3, arbitrary: fc.constant('look' as const) },
    { weight: 1, arbitrary: fc.record({ restoredTo: fc.nat(20) }) },
  );

  it('lead to the totals of all entries, also when the journal was restored since', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.integer({ min: 1, max: 7 }), async (steps, page) => {
        const id = randomUUID();
        const { journal, client } = pagedLedger(id, page);
        let [known, places]: [KnownSums | undefined, number] = [undefined, 0];
        for (const one of [...steps, 'look' as const]) {
          if (one === 'look') {
            const found: Awaited<ReturnType<typeof client.totalsAfter>> = await client.totalsAfter(id, known);
            expect(found.totals).toEqual(await client.totals(id));
            known = found.sums;
          } else if ('restoredTo' in one) journal.splice(one.restoredTo);
          else {
            const { token, amount, isNetting } = one;
            journal.push({ place: ++places, token, isNetting, booked: isNetting ? 0n : amount, elsewhere: isNetting ? amount : -amount });
          }
        }
      }),
    );
  });

  it('are not known of an account without entries, and serve another question about the same account', async () => {
    const id = randomUUID();
    const { journal, client } = pagedLedger(id, 5);
    expect(await client.totalsAfter(id, undefined)).toEqual({ totals: new Map(), sums: undefined });
    for (let place = 1; place <= 9; place += 1) journal.push({ place, token: 'EURe', booked: 1n, elsewhere: 0n, isNetting: false });
    const { sums } = await client.totalsAfter(id, undefined);
    journal.push({ place: 10, token: 'EURe', booked: 1n, elsewhere: 0n, isNetting: false });
    const [{ totals }, all] = await Promise.all([client.totalsAfter(id, sums), client.totals(id)]);
    expect([totals.get('EURe')?.booked, all.get('EURe')?.booked]).toEqual([10n, 10n]);
  });
});
