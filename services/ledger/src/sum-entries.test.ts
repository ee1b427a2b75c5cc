import { randomUUID } from 'node:crypto';
import { seededRandom } from '@florin/rpc/testing/seeded-random';
import { describe, expect, it } from 'vitest';
import { decodePlace, encodePlace } from './domain/page-cursor.ts';
import { entry, entryCalls, later, leg } from './testing/entry-calls.ts';
import { serveLedger } from './testing/served-ledger.ts';
import { codeOf, ledgerEnvironment } from './testing/world.ts';

const ledger = serveLedger(ledgerEnvironment({ JOURNAL_SHARDS: '2', ENTRY_IDS_PER_SHARD: 'true' }));
/** Its entries move from memory into runs after twenty. */
const inRuns = serveLedger(ledgerEnvironment({ JOURNAL_RUN_ENTRIES: '20' }));
const { create, rich } = entryCalls(ledger);

type Asked = { accountId: string; cursor?: string; after?: string };
const askOf =
  (served: typeof ledger) =>
  async (...accounts: Asked[]) =>
    (await served.entries.sumEntries({ accounts }, served.operator)).sums;
const ask = askOf(ledger);

const NOTHING = { booked: '0', elsewhere: '0', refused: '0', settling: '0', held: '0', incoming: '0' };

describe('sums of entries', () => {
  it('are by token, with parts of the balance, for accounts of all shards in the order of the request', async () => {
    const accounts = await Promise.all(Array.from({ length: 8 }, () => rich()));
    for (const [index, { accountId }] of accounts.entries()) {
      const settling = `${accountId}/settling`;
      const spent = entry(leg(accountId, settling, String(100 + index)));
      const netted = entry(leg(settling, 'settlement', '7'));
      const taken = entry(leg('settlement', settling, '2'));
      const held = { ...entry(leg(accountId, 'settlement', '11')), holdExpiresAt: later() };
      const fee = entry(leg(accountId, 'fees', '5'));
      const refused = entry(leg(accountId, 'refused', '3'));
      const collected = entry(leg(settling, 'chain', '40'));
      const foreign = entry(leg('chain', accountId, '6', 'GBPe'));
      const all = [spent, netted, taken, held, fee, refused, collected, foreign];
      expect(new Set(await create(...all))).toEqual(new Set(['CREATED']));
      const [sums] = await ask({ accountId });
      const eure = { ...NOTHING, token: 'EURe', booked: '960', elsewhere: '13', refused: '3', settling: String(55 + index), held: '11' };
      const gbpe = { ...NOTHING, token: 'GBPe', booked: '6' };
      expect(sums).toMatchObject({ accountId, nextCursor: '' });
      expect(Object.fromEntries(sums?.tokens.map((one) => [one.token, one]) ?? [])).toMatchObject({ EURe: eure, GBPe: gbpe });
      const settled = [taken, netted].map(({ entryId }, place) => ({ entryId, token: 'EURe', amount: ['-2', '7'][place] }));
      expect(sums?.settled).toMatchObject(settled);
    }
    const ids = accounts.map(({ accountId }) => accountId);
    expect((await ask(...ids.map((accountId) => ({ accountId })))).map(({ accountId }) => accountId)).toEqual(ids);
  });

  it('of an account that is unknown are none', async () => {
    const accountId = randomUUID();
    expect(await ask({ accountId })).toMatchObject([{ accountId, tokens: [], settled: [], nextCursor: '' }]);
  });

  it('of more entries than one call reads add up over several calls, each entry once', async () => {
    const { accountId } = await rich('10000');
    for (let call = 0; call < 6; call += 1)
      expect(new Set(await create(...Array.from({ length: 1000 }, () => entry(leg(accountId, 'fees')))))).toEqual(new Set(['CREATED']));
    let [cursor, calls, elsewhere] = ['', 0, 0];
    do {
      const [sums] = await ask({ accountId, cursor });
      elsewhere += Number(sums?.tokens[0]?.elsewhere);
      cursor = sums?.nextCursor ?? '';
      calls += 1;
    } while (cursor !== '');
    expect([calls, elsewhere]).toEqual([2, 6000]);
  });

  it.each([
    ['memory', ledger],
    ['runs', inRuns],
  ] as const)('after a position are of later entries, and with those before it of all, with entries in %s', async (_, served) => {
    const [ask, { create, rich }] = [askOf(served), entryCalls(served)];
    const { accountId } = await rich('1000000');
    const random = seededRandom(33);
    let known = { position: '', elsewhere: 0, settled: 0 };
    for (let look = 0; look < 30; look += 1) {
      const entries = Array.from({ length: Math.floor(random() * 8) }, () => {
        const amount = String(1 + Math.floor(random() * 9));
        const [debit, credit] = random() < 0.5 ? [accountId, 'fees'] : [`settlement`, `${accountId}/settling`];
        return entry(leg(debit, credit, amount));
      });
      if (entries.length > 0) await create(...entries);
      const [[later], [all]] = await Promise.all([ask({ accountId, after: known.position }), ask({ accountId })]);
      expect(later).toMatchObject({ follows: known.position !== '', nextCursor: '', position: all?.position });
      const elsewhere = (sums: typeof all): number => Number(sums?.tokens[0]?.elsewhere);
      known = {
        position: later?.position ?? '',
        elsewhere: known.elsewhere + elsewhere(later),
        settled: known.settled + (later?.settled.length ?? 0),
      };
      expect(known).toMatchObject({ elsewhere: elsewhere(all), settled: all?.settled.length });
      expect(later?.settled.length).toBe(entries.filter(({ transfers: [one] }) => one?.debit === 'settlement').length);
    }
  });

  it('after a position that the journal has lost are of all entries, over several calls too', async () => {
    const { accountId } = await rich('10000');
    for (let call = 0; call < 6; call += 1) await create(...Array.from({ length: 1000 }, () => entry(leg(accountId, 'fees'))));
    const [{ position = '' } = {}] = await ask({ accountId });
    const { position: number, at } = decodePlace(position) ?? expect.fail('no place');
    // Restored to an earlier state, the journal has another entry there, or none.
    const lost = [
      encodePlace({ position: number, at: new Date(at.getTime() + 1) }),
      encodePlace({ position: number + 1_000_000, at: new Date(at.getTime() + 60_000) }),
    ];
    for (const after of lost) {
      let [cursor, elsewhere, follows] = ['', 0, true];
      do {
        const [sums] = await ask({ accountId, cursor, after });
        elsewhere += Number(sums?.tokens[0]?.elsewhere);
        if (cursor === '') expect(sums?.position).toBe(position);
        cursor = sums?.nextCursor ?? '';
        follows = sums?.follows ?? true;
      } while (cursor !== '');
      expect([elsewhere, follows]).toEqual([6000, false]);
    }
  });

  it('reject an account that is named twice, and a cursor or position of something else', async () => {
    const accountId = randomUUID();
    const wrong = [[{ accountId }, { accountId }], [{ accountId, cursor: '?' }], [{ accountId, after: '?' }], [], [{ accountId: 'x' }]];
    const codes = wrong.map((accounts) => codeOf(ask(...accounts)));
    expect(new Set(await Promise.all(codes))).toEqual(new Set(['VALIDATION_FAILED']));
  });
});
