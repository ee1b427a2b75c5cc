import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { openTestBed, testEnvironment } from '@florin/data/testing';
import { ExceptionService } from '@florin/proto/card/v1/exception_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { EntryKind } from '@florin/proto/ledger/v1/entry';
import { EntryService } from '@florin/proto/ledger/v1/entry_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { SETTLEMENT_SCOPES } from '@florin/proto/settlement/v1/scopes';
import { ImportOutcome, SettlementRecordSchema, SettlementService } from '@florin/proto/settlement/v1/settlement_service';
import { loadConfig } from '@florin/rpc/config';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod, serviceStream } from '@florin/rpc/server';
import { createSigningKey } from '@florin/rpc/signing-key';
import { createTestAuthority, fakeClock, implementPart, quietLogger, startNeighbour, waitFor } from '@florin/rpc/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { createApp } from './app.ts';
import { createBooking } from './booking/booking.ts';
import type { FindReports } from './clients/card.ts';
import { configShape } from './config.ts';
import { DayRecords, isValidClose, unbalanced } from './domain/block.ts';
import { itemOf } from './domain/item.ts';
import { type SettlementRecord, spell } from './domain/record.ts';
import { firstDay } from './following/tell-unsettled.ts';
import { fromWireRecords } from './handlers/from-wire.ts';
import { startMatching } from './matching/match-clearings.ts';
import { type BlockStore, createBlockStore } from './store/blocks.ts';
import { createCursorStore } from './store/cursors.ts';
import { createItemStore } from './store/items.ts';
import { createMatchStore } from './store/matches.ts';
import { createReportStore } from './store/reports.ts';
import { bankMovement, clearing, collection, correction } from './testing/records.ts';

const NOON = new Date('2026-11-25T12:00:00Z');
const [MONDAY, TUESDAY, WEDNESDAY] = ['2026-11-23', '2026-11-24', '2026-11-25'] as const;

const { readBooks, closeDays, ...write } = SETTLEMENT_SCOPES;
const WRITE = Object.values(write);

const ARCHIVED_UNTIL = new Date('2026-11-01T00:00:00Z');

const ACCOUNT = randomUUID();

/** The ledger's entry of a clearing (a refund below zero), in cents. */
const posting = (paymentId: string, cents: bigint, accountId = ACCOUNT, at = NOON) => {
  const amount = String((cents < 0n ? -cents : cents) * 10n ** 16n);
  const spent = { debit: `${accountId}/held`, credit: `${accountId}/settling`, token: 'EURe', amount };
  const refunded = { debit: 'settlement', credit: `${accountId}/available`, token: 'EURe', amount };
  return {
    ...{ id: randomUUID() as string, kind: EntryKind.HOLD_POSTED as EntryKind, accountId, shard: '0', block: 1n },
    ...{ createdAt: timestampFromDate(at), transfers: [cents < 0n ? refunded : spent], metadata: { externalReference: paymentId } },
  };
};

/** The service on a database of its own, with a stand-in for the card service that knows some transactions. */
const createWorld = async () => {
  const authority = await createTestAuthority({
    settlement: [CARD_SCOPES.matchSettlement, LEDGER_SCOPES.readEntries],
    // Each of them reports records of its own.
    ...Object.fromEntries(['processor', 'other', 'bank', 'chain', 'operator'].map((name) => [name, WRITE])),
    office: [readBooks, closeDays],
  });
  const clock = fakeClock(NOON);
  const state = {
    isAway: false,
    known: new Set<string>(),
    billed: new Map<string, string>(),
    converts: false,
    asked: [] as { transactionId: string; raiseUnmatched: boolean }[],
    /** The ledger's journal. */
    entries: [] as ReturnType<typeof posting>[],
    /** Entries that were archived. */
    archived: 0,
    /** Ids and amounts of the payments that the card service was told of. */
    unsettled: [] as string[],
    /** Movements on the bank account that it was told of: amounts by key, and 0 of those that are explained. */
    unexplained: {} as Record<string, string>,
  };
  const card = await startNeighbour({
    authority,
    name: 'card',
    now: clock.now,
    services: [
      implementPart(ExceptionService, {
        matchSettlement: serviceMethod(({ items }) => {
          if (state.isAway) throw new CodedError('SERVICE_UNAVAILABLE');
          state.asked.push(...items);
          return {
            matches: items.map(({ transactionId, amount, raiseUnmatched }) => {
              const billedAmount = state.billed.get(transactionId) ?? amount;
              const report = { paymentId: transactionId, accountId: ACCOUNT, billedAmount, billingCurrency: 'EUR' };
              const isKnown = state.known.has(transactionId);
              const exceptionId = isKnown
                ? billedAmount === amount || state.converts
                  ? ''
                  : transactionId
                : raiseUnmatched
                  ? transactionId
                  : '';
              return { ...(isKnown ? report : {}), exceptionId };
            }),
          };
        }),
        reportUnsettled: serviceMethod(({ items }) => {
          state.unsettled.push(...items.map(({ paymentId, amount }) => `${paymentId} ${amount}`));
          return {};
        }),
        reportUnexplained: serviceMethod(({ movements }) => {
          for (const { source, recordId, amount } of movements) state.unexplained[`${source}:${recordId}`] = amount;
          return {};
        }),
      }),
    ],
  });
  const ledger = await startNeighbour({
    authority,
    name: 'ledger',
    now: clock.now,
    services: [
      implementPart(EntryService, {
        watchEntries: serviceStream(async function* ({ after, kinds }) {
          if (Number(after) > state.entries.length) throw new CodedError('POSITION_NOT_AVAILABLE');
          const metadata = { firstPosition: String(state.archived), archivedUntil: ARCHIVED_UNTIL.toISOString() };
          if (Number(after) < state.archived) throw new CodedError('ENTRIES_ARCHIVED', { metadata });
          const entries = state.entries.slice(Number(after)).filter(({ kind }) => kinds.length === 0 || kinds.includes(kind));
          yield { entries, position: String(state.entries.length), caughtUp: true, shards: 1, blockHash: '' };
        }),
      }),
    ],
  });
  const key = { ...generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }), kid: 'settlement' };
  const environment = testEnvironment('settlement', authority, {
    IDENTITY_URL: 'http://127.0.0.1:9',
    CARD_URL: card.url,
    LEDGER_URL: ledger.url,
    SETTLEMENT_KEY: JSON.stringify(key),
  });
  const bed = await openTestBed(environment);
  for (const neighbour of [card, ledger]) bed.defer(() => neighbour.close(0));
  const { connection } = bed;
  return {
    clock,
    state,
    connection,
    blocks: createBlockStore(connection),
    matches: createMatchStore(connection),
    cursors: createCursorStore(connection),
    items: createItemStore(connection),
    reports: createReportStore(connection),
    key: createSigningKey(key as Parameters<typeof createSigningKey>[0]),

    /** Starts the service; any number of them share the world's database. */
    start: async () => {
      const app = await createApp(loadConfig(configShape, environment), {
        runtime: { now: clock.now },
        userKeys: authority.userKeys,
        logger: quietLogger,
      });
      const client = bed.connect(app).client(SettlementService);
      const as = (name: string, scopes: string[]) => authority.asService(name, 'settlement', scopes);
      return {
        /** Imports records in their order, those of each source by its client. */
        importRecords: async (...records: ReturnType<typeof clearing>[]) => {
          const outcomes: { outcome: ImportOutcome; day: string }[] = [];
          for (const [source = '', some] of Map.groupBy(records, (one) => one.source)) {
            const { records: imported } = await client.importRecords({ records: some }, await as(source, WRITE));
            outcomes.push(...imported.map(({ outcome, day }) => ({ outcome, day })));
          }
          return outcomes;
        },
        importAs: async (name: string, scopes: string[], record: ReturnType<typeof clearing>) =>
          client.importRecords({ records: [record] }, await as(name, scopes)),
        closeDay: async (day: string) => (await client.closeDay({ day }, await as('office', [closeDays]))).close,
        getDay: async (day: string) => (await client.getDay({ day }, await as('office', [readBooks]))).close,
        listDays: async (limit = 0, cursor = '') => client.listDays({ page: { limit, cursor } }, await as('office', [readBooks])),
        listReports: async () => (await client.listReports({}, await as('office', [readBooks]))).reports,
        lastReport: async () => (await client.listBalances({}, await as('office', [readBooks]))).lastReport,
        balances: async () => {
          const { balances } = await client.listBalances({}, await as('office', [readBooks]));
          return Object.fromEntries(balances.map(({ account, amount }) => [account, amount]));
        },
      };
    },

    close: bed.close,
  };
};

let world: Awaited<ReturnType<typeof createWorld>>;
beforeEach(async () => {
  world = await createWorld();
  return () => world.close();
});

const booked = (day: string) => ({ outcome: ImportOutcome.BOOKED, day });
const existing = (day: string) => ({ outcome: ImportOutcome.EXISTING, day });

const newBooking = (blocks: BlockStore) => createBooking({ blocks, key: world.key, now: world.clock.now, grown: () => undefined });

/** Books records in one block, while no instance runs. */
const bookDirectly = (...records: ReturnType<typeof clearing>[]) =>
  newBooking(world.blocks).importRecords(
    fromWireRecords(
      records.map((record) => create(SettlementRecordSchema, record)),
      WEDNESDAY,
    ),
  );

describe('settlement', () => {
  it('books clearings, collections and bank movements in double entry, and closes positions', async () => {
    const service = await world.start();
    await service.importRecords(clearing(MONDAY), clearing(MONDAY, '-500'), collection(TUESDAY, '2300'));
    expect(await service.balances()).toEqual({
      ...{ treasury: '2300', interchange: '-28', scheme_fees: '6', processor_fees: '4', [`payable/visa/${MONDAY}`]: '-2282' },
    });
    const position = `payable/visa/${MONDAY}`;
    await service.importRecords(
      bankMovement(TUESDAY, '2300', 'treasury'),
      bankMovement(TUESDAY, '-2282', position),
      bankMovement(TUESDAY, '-7'),
    );
    expect(await service.balances()).toEqual({ bank: '11', interchange: '-28', scheme_fees: '6', processor_fees: '4', unexplained: '7' });
    await service.importRecords(correction(TUESDAY, 'processor_fees', 'unexplained', '7'));
    expect(await service.balances()).toEqual({ bank: '11', interchange: '-28', scheme_fees: '6', processor_fees: '11' });
  });

  it('tells of each bank movement that nothing explains, until a correction of its amount names it', async () => {
    const service = await world.start();
    const [fee, gift, payout] = [bankMovement(TUESDAY, '-7'), bankMovement(TUESDAY, '900'), bankMovement(TUESDAY, '5', 'treasury')];
    const told = (expected: Record<string, string>) =>
      waitFor('the exceptions', async () => {
        const isSame = JSON.stringify(world.state.unexplained) === JSON.stringify(expected);
        return isSame ? true : undefined;
      });
    await service.importRecords(fee, gift, payout);
    await told({ [`bank:${fee.id}`]: '-7', [`bank:${gift.id}`]: '900' });
    // Of another amount, with another note, and in the wrong direction.
    await service.importRecords(
      correction(TUESDAY, 'unexplained', 'fx_income', '800', `bank:${gift.id}`),
      correction(TUESDAY, 'unexplained', 'fx_income', '900'),
      correction(TUESDAY, 'fx_income', 'unexplained', '900', `bank:${gift.id}`),
      correction(TUESDAY, 'fees', 'unexplained', '7', `bank:${fee.id}`),
    );
    await told({ [`bank:${fee.id}`]: '0', [`bank:${gift.id}`]: '900' });
  });

  it('tells of a movement before it tells of its correction, in whichever order they were booked together', async () => {
    await bookDirectly(correction(TUESDAY, 'fees', 'unexplained', '7', 'bank:fee'), bankMovement(TUESDAY, '-7', '', { id: 'fee' }));
    await world.start();
    await waitFor('the end of the journal', async () => ((await world.cursors.toldUpTo()) === 1 ? true : undefined));
    expect(world.state.unexplained).toEqual({ 'bank:fee': '0' });
  });

  it('tells of movements that a release without these exceptions has matched', async () => {
    await bookDirectly(bankMovement(TUESDAY, '-7', '', { id: 'fee' }), bankMovement(TUESDAY, '900', '', { id: 'gift' }));
    await bookDirectly(correction(TUESDAY, 'fees', 'unexplained', '7', 'bank:fee'));
    await world.cursors.reach(2);
    await world.start();
    await waitFor('both', async () => (Object.keys(world.state.unexplained).length === 2 ? true : undefined));
    await waitFor('the correction', async () => (world.state.unexplained['bank:fee'] === '0' ? true : undefined));
    expect(world.state.unexplained).toEqual({ 'bank:fee': '0', 'bank:gift': '900' });
  });

  it('books a record once, and says so of a repeat and of another content', async () => {
    const service = await world.start();
    const one = clearing(MONDAY);
    expect(await service.importRecords(one, one)).toEqual([booked(MONDAY), existing(MONDAY)]);
    const other = { ...clearing(TUESDAY, '100'), id: one.id ?? '' };
    expect(await service.importRecords(other, one)).toEqual([{ outcome: ImportOutcome.CONFLICTING, day: MONDAY }, existing(MONDAY)]);
    // Another source has ids of its own.
    expect(await service.importRecords({ ...one, source: 'other' })).toEqual([booked(MONDAY)]);
  });

  it('closes days for good, and books what is late on an open day', async () => {
    const service = await world.start();
    await service.importRecords(clearing(MONDAY), clearing(TUESDAY, '100'));
    const closed = await service.closeDay(MONDAY);
    expect(closed).toMatchObject({ day: MONDAY, previousDay: '', records: 1n });
    expect(await service.importRecords(clearing(MONDAY, '300'))).toEqual([booked(TUESDAY)]);
    expect(await service.closeDay(MONDAY)).toEqual(closed);
    expect(await service.getDay('2026-11-01')).toEqual(closed);
    await expect(service.getDay(TUESDAY)).rejects.toMatchObject({ code: 'DAY_NOT_CLOSED' });
    await expect(service.closeDay(WEDNESDAY)).rejects.toMatchObject({ code: 'DAY_NOT_ENDED' });
    const next = await service.closeDay(TUESDAY);
    expect(next).toMatchObject({ previousDay: MONDAY, records: 2n });
    expect(next?.balances.find(({ account }) => account === 'receivable')?.amount).toBe('3200');
    expect((await service.listDays()).days).toMatchObject([
      { day: TUESDAY, closedAt: next?.closedAt, records: 2n },
      { day: MONDAY, closedAt: closed?.closedAt, records: 1n },
    ]);
    const first = await service.listDays(1);
    const rest = await service.listDays(1, first.page?.nextCursor);
    expect([...first.days, ...rest.days].map(({ day }) => day)).toEqual([TUESDAY, MONDAY]);
    expect(rest.page?.nextCursor).toBe('');
    await expect(service.listDays(1, 'bogus')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it('signs what the journal says', async () => {
    const service = await world.start();
    await service.importRecords(clearing(MONDAY), clearing(TUESDAY));
    await service.closeDay(TUESDAY);
    const block = (await world.blocks.closeOf(TUESDAY)) ?? expect.fail('not closed');
    expect(isValidClose(block.close, block)).toBe(true);
    expect(block.close.key).toEqual(world.key.publicKey);
    expect(unbalanced(block.close.balances)).toEqual([]);
  });

  it('keeps the verdicts of reports as they were, and tells that of the last day, the newest one that compares the chain', async () => {
    const { lastReport, listReports } = await world.start();
    expect(await lastReport()).toBeUndefined();
    const verdict = { day: '2026-11-23', madeAt: new Date('2026-11-24T07:00:00Z'), key: 'k', differences: 2, comparesChain: true };
    const add = (digest: string, change: Partial<typeof verdict>) => world.reports.add({ ...verdict, digest, ...change });
    await add('a', {});
    await add('a', { differences: 0 });
    expect(await lastReport()).toMatchObject({ digest: 'a', day: '2026-11-23', differences: 2, comparesChain: true, key: 'k' });
    const later = new Date('2026-11-25T07:00:00Z');
    await add('b', { differences: 0, madeAt: later });
    await add('c', { day: '2026-11-22', madeAt: new Date('2026-11-26T07:00:00Z') });
    await add('d', { differences: 1, madeAt: new Date('2026-11-27T07:00:00Z'), comparesChain: false });
    const last = (await lastReport()) ?? expect.fail('there are reports');
    expect(last).toMatchObject({ digest: 'b', day: '2026-11-23', differences: 0, madeAt: timestampFromDate(later) });
    expect((await listReports()).map(({ digest }) => digest)).toEqual(['b', 'a', 'd', 'c']);
  });

  it('books for each source what its own client reports, of the kinds that the client has a scope for', async () => {
    const service = await world.start();
    const { writeRecords, writeBank, writeCollections, writeCorrections } = write;
    for (const [record, scope] of [
      [bankMovement(MONDAY, '5'), writeBank],
      [collection(MONDAY, '5'), writeCollections],
      [correction(MONDAY, 'bank', 'treasury', '5'), writeCorrections],
    ] as const) {
      const source = record.source ?? '';
      const others = WRITE.filter((one) => one !== scope);
      await expect(service.importAs(source, others, record)).rejects.toMatchObject({ code: 'FORBIDDEN' });
      await expect(service.importAs('processor', WRITE, record)).rejects.toMatchObject({ code: 'FORBIDDEN' });
      expect(await service.importAs(source, [writeRecords, scope], record)).toMatchObject({ records: [booked(MONDAY)] });
    }
    await expect(service.importAs('other', WRITE, clearing(MONDAY))).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await service.importAs('processor', [writeRecords], clearing(MONDAY))).toMatchObject({ records: [booked(MONDAY)] });
  });

  it.each<[string, ReturnType<typeof clearing>]>([
    ['a day that is none', clearing('2026-02-30')],
    ['a day that is far ahead', clearing('2026-12-24')],
    ['a currency that is none', clearing(MONDAY, '1', { currency: 'XYZ' })],
    ['no amount', clearing(MONDAY, '0')],
    ['a position of no day', bankMovement(MONDAY, '5', 'payable/visa/2026-13-01')],
    ['an account that is none', correction(MONDAY, 'bank', 'elsewhere', '5')],
    ['no kind', { source: 'bank', id: '1', date: MONDAY, currency: 'EUR' }],
  ])('rejects %s', async (_what, record) => {
    const service = await world.start();
    await expect(service.importRecords(clearing(MONDAY), { ...record, source: 'processor' })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    });
    expect(await service.balances()).toEqual({});
  });
});

describe('matching', () => {
  const transactionOf = ({ kind }: ReturnType<typeof clearing>): string =>
    kind?.case === 'clearing' ? (kind.value.transactionId ?? '') : '';
  const due = async () => (await world.matches.due(new Date('2100-01-01'), 100)).length;

  it('finds the reports of clearings while the card service is there, and never keeps a record from being booked', async () => {
    const service = await world.start();
    const one = clearing(MONDAY);
    world.state.known.add(transactionOf(one));
    world.state.isAway = true;
    expect(await service.importRecords(one)).toEqual([booked(MONDAY)]);
    world.state.isAway = false;
    const other = clearing(MONDAY);
    await service.importRecords(other, collection(MONDAY, '5'));
    await waitFor('both clearings', async () => ((await world.cursors.reached()) === 3 ? true : undefined));
    expect(await due()).toBe(1);
    expect(world.state.asked.every(({ raiseUnmatched }) => !raiseUnmatched)).toBe(true);
  });

  it('raises an exception for a clearing without a report after a day, and goes on looking', async () => {
    const service = await world.start();
    const late = clearing(MONDAY);
    await service.importRecords(late);
    await waitFor('the first look', async () => ((await due()) === 1 ? true : undefined));
    world.clock.advanceSeconds(86_400);
    // Wakes the background.
    await service.importRecords(collection(MONDAY, '1'));
    await waitFor('the exception', async () => (world.state.asked.some(({ raiseUnmatched }) => raiseUnmatched) ? true : undefined));
    world.state.known.add(transactionOf(late));
    world.clock.advanceSeconds(7200);
    await service.importRecords(collection(MONDAY, '2'));
    await waitFor('the report', async () => ((await due()) === 0 ? true : undefined));
    const found = await world.matches.find([`${late.source}:${late.id}`]);
    expect([...found.values()]).toEqual([expect.not.objectContaining({ exceptionId: expect.anything() })]);
  });

  it('books what conversions by the program have brought in, once', async () => {
    const service = await world.start();
    world.state.converts = true;
    const [one, other] = [clearing(MONDAY, '9000'), clearing(MONDAY, '-500')];
    for (const [record, billed] of [
      [one, '9090'],
      [other, '-499'],
    ] as const) {
      world.state.known.add(transactionOf(record));
      world.state.billed.set(transactionOf(record), billed);
    }
    await service.importRecords(one, other);
    await waitFor('the conversions', async () => ((await service.balances())['fx_income'] === '-91' ? true : undefined));
    expect(await service.balances()).toMatchObject({ receivable: '8591' });
    // Matched again from the beginning, it finds the same.
    await world.connection.collection('cursors').deleteMany({});
    await world.start();
    await service.importRecords(collection(TUESDAY, '8591'));
    await waitFor('the end of the journal', async () =>
      (await world.cursors.reached()) === (await world.blocks.head()).n ? true : undefined,
    );
    expect(await service.balances()).toMatchObject({ treasury: '8591', fx_income: '-91' });
    expect(await service.balances()).not.toHaveProperty('receivable');
  });

  it("compares each payment with the ledger's entries, and tells of those that the network has not settled, until it has", async () => {
    const service = await world.start();
    const [agreed, twice, elsewhere, never, waits] = Array.from({ length: 5 }, () => clearing(MONDAY));
    const paid = [agreed, twice, elsewhere, never].map((record) => record ?? expect.fail());
    for (const record of [...paid, waits]) world.state.known.add(transactionOf(record ?? expect.fail()));
    const [a, b, c, d, e] = [...paid, waits].map((record) => transactionOf(record ?? expect.fail()));
    const other = randomUUID();
    world.state.entries.push(...[a, b, b].map((id) => posting(id ?? '', 2800n)), posting(c ?? '', 2800n, other), posting(e ?? '', 2800n));
    await service.importRecords(...paid);
    const differing = async () => {
      const found = await Array.fromAsync(world.items.openOrSince(new Date('2100-01-01')));
      const items = found.flatMap((item) => itemOf(item, { day: TUESDAY }) ?? []);
      return items.map(({ id, ledger, books }) => `${id} ${ledger} ${books}`).sort();
    };
    const expected = [
      `${b}/${ACCOUNT} 5600 2800`,
      `${c}/${ACCOUNT} 0 2800`,
      `${c}/${other} 2800 0`,
      `${d}/${ACCOUNT} 0 2800`,
      `${e}/${ACCOUNT} 2800 0`,
    ];
    await waitFor('the items', async () => ((await differing()).length === expected.length ? true : undefined));
    expect(await differing()).toEqual(expected.sort());
    expect(world.state.unsettled).toEqual([]);

    world.clock.advanceSeconds(8 * 86_400 + 1);
    // Rounds begin with the service.
    const again = await world.start();
    const told = [`${b} 2800`, `${c} -2800`, `${c} 2800`, `${d} -2800`, `${e} 2800`];
    await waitFor('the exceptions', async () => (world.state.unsettled.length >= told.length ? true : undefined));
    expect([...new Set(world.state.unsettled)].sort()).toEqual(told.sort());
    await again.importRecords(waits ?? expect.fail());
    await waitFor('the record', async () => ((await differing()).length === expected.length - 1 ? true : undefined));
    await world.start();
    await waitFor('its end', async () => (world.state.unsettled.includes(`${e} 0`) ? true : undefined));
  });

  it('reads the journal of a restored ledger anew, without what the restore has lost', async () => {
    const [old, kept, lost, added] = Array.from({ length: 4 }, () => randomUUID() as string) as [string, string, string, string];
    world.state.entries.push(posting(old, 1n, ACCOUNT, ARCHIVED_UNTIL), posting(kept, 2n), posting(lost, 3n));
    await world.start();
    const ids = async () => {
      const found = await Array.fromAsync(world.items.openOrSince(new Date('2100-01-01')));
      return found.map(({ id }) => id.slice(0, 36)).sort();
    };
    await waitFor('the entries', async () => ((await world.cursors.completeAt()) === undefined ? undefined : true));
    expect(await ids()).toEqual([old, kept, lost].sort());
    // The backup has what was archived too.
    world.state.entries.pop();
    world.state.archived = 1;
    const again = await world.start();
    await waitFor('the end of what is left', async () => ((await world.cursors.position('0')).position === '2' ? true : undefined));
    expect(await ids()).toEqual([old, kept].sort());
    world.state.entries.push(posting(added, 4n));
    await world.start();
    await waitFor('the next entry', async () => ((await ids()).length === 3 ? true : undefined));
    expect(await ids()).toEqual([old, kept, added].sort());
    expect(await again.balances()).toEqual({});
  });

  it.each([EntryKind.UNSPECIFIED, 99 as EntryKind])(
    'counts what an entry of kind %i has moved, which a later release may write',
    async (kind) => {
      const paymentId = randomUUID();
      world.state.entries.push({ ...posting(paymentId, 5n), kind });
      await world.start();
      await waitFor('the end of the journal', async () => ((await world.cursors.completeAt()) === undefined ? undefined : true));
      const found = await Array.fromAsync(world.items.openOrSince(new Date('2100-01-01')));
      expect(found).toMatchObject([{ id: `${paymentId}/${ACCOUNT}`, parts: [{ amount: 5n }] }]);
    },
  );

  it('moves items that an earlier version has stored to the names that they have now', async () => {
    const [won, unread] = [randomUUID() as string, randomUUID() as string];
    const amount = String(7n * 10n ** 16n);
    const system = (reference: string, ...accounts: [debit: string, credit: string][]) => ({
      ...posting(reference, 1n),
      transfers: accounts.map(([debit, credit]) => ({ debit, credit, token: 'EURe', amount })),
    });
    const [disputed, suspended] = [
      system(won, ['settlement', 'disputes'], ['settlement', 'fees']),
      system(unread, ['suspense', 'settlement']),
    ];
    const { connection } = world;
    // As they were stored before these items had names of their own.
    for (const [{ id }, reference, cents] of [
      [disputed, won, '-14'],
      [suspended, unread, '7'],
    ] as const) {
      const part = { key: `0/${id}//EUR`, amount: cents, at: NOON, until: NOON, shard: '0', block: 1 };
      const item = { item: `${reference}/`, currency: 'EUR', parts: [part], until: NOON, openSince: NOON };
      await connection.collection<{ _id: string }>('items').insertOne({ _id: `${reference}/ EUR`, ...item });
    }
    await connection.collection<{ _id: string } & Record<string, unknown>>('cursors').insertMany([
      { _id: 'ledger/0', position: '2', hash: '', completeAt: NOON },
      { _id: 'items', n: 1 },
    ]);
    world.state.entries.push(disputed, suspended);
    const service = await world.start();
    await service.importRecords(correction(MONDAY, 'bank', 'receivable', '7', `disputes/${won}`));
    const items = async () => {
      const found = await Array.fromAsync(world.items.openOrSince(new Date('2100-01-01')));
      return found.map(({ id, parts }) => `${id} ${parts.reduce((sum, part) => sum + part.amount, 0n)}`).sort();
    };
    const expected = [`${won}/ -7`, `suspense/${unread} 7`].sort();
    await waitFor('the items', async () => ((await items()).join() === expected.join() ? true : undefined));
  });

  it('counts from the first clearing on, whatever older records there are', async () => {
    const service = await world.start();
    await service.importRecords(collection('2026-01-05', '5'), correction('2020-01-01', 'bank', 'unexplained', '7'));
    // Days are closed before the first clearing.
    for (let day = 10; day < 24; day += 1) await service.closeDay(`2026-11-${day}`);
    expect(await firstDay(world.blocks)).toBeUndefined();
    await service.importRecords(clearing(TUESDAY));
    expect(await firstDay(world.blocks)).toEqual(new Date(`${TUESDAY}T00:00:00Z`));
    await service.importRecords(clearing('2020-01-01'));
    expect(await firstDay(world.blocks)).toEqual(new Date(NOON.getTime() - 31 * 86_400_000));
  });

  it('looks again for a report that differs, until one agrees', async () => {
    const service = await world.start();
    const one = clearing(MONDAY);
    world.state.known.add(transactionOf(one));
    world.state.billed.set(transactionOf(one), '2700');
    await service.importRecords(one);
    await waitFor('the difference', async () => ((await due()) === 1 ? true : undefined));
    world.state.billed.clear();
    world.clock.advanceSeconds(7200);
    await service.importRecords(collection(MONDAY, '1'));
    await waitFor('the report', async () => ((await due()) === 0 ? true : undefined));
    const found = await world.matches.find([`${one.source}:${one.id}`]);
    expect([...found.values()]).toMatchObject([{ found: { billedAmount: '2800' } }]);
  });
});

/** Records as the store books them. */
const plain = (count: number, date: string): SettlementRecord[] =>
  Array.from({ length: count }, () => ({ kind: 'collection', source: 'chain', id: randomUUID(), date, currency: 'EUR', amount: 5n }));

/** The records that the journal has now on the days of a close. */
const recordsOf = async (blocks: BlockStore, after: string, upTo: string) => {
  const { n } = await blocks.head();
  const found = new DayRecords();
  const lines: string[] = [];
  for await (const block of blocks.ofDays({ after, upTo }, { after: 0, upTo: n }))
    for (const record of block.records) {
      found.add(record);
      lines.push(record.line);
    }
  return { ...found.state(), lines };
};

describe('races and kills', () => {
  it('of two imports of the same records at once, each record is booked by one', async () => {
    const [first, second] = [await world.start(), await world.start()];
    const records = Array.from({ length: 40 }, () => clearing(MONDAY, '100'));
    const parts = (service: typeof first) => Promise.all([0, 10, 20, 30].map((at) => service.importRecords(...records.slice(at, at + 10))));
    const outcomes = (await Promise.all([parts(first), parts(second)])).flat(2);
    expect(outcomes.filter(({ outcome }) => outcome === ImportOutcome.BOOKED)).toHaveLength(40);
    expect(outcomes.filter(({ outcome }) => outcome === ImportOutcome.EXISTING)).toHaveLength(40);
    expect((await first.balances())['receivable']).toBe('4000');
  });

  it('a record that races a close is in the signed day, or on an open one', async () => {
    const bookings = [newBooking(world.blocks), newBooking(createBlockStore(world.connection))] as const;
    const all = plain(60, MONDAY);
    const imports = Array.from({ length: 20 }, (_, at) => bookings[at % 2 === 0 ? 0 : 1].importRecords(all.slice(at * 3, at * 3 + 3)));
    const closes = [bookings[0].closeDay(MONDAY), bookings[1].closeDay(MONDAY)];
    const [outcomes, [one, other]] = await Promise.all([Promise.all(imports), Promise.all(closes)]);
    expect(one).toEqual(other);
    const [closed, open] = [await recordsOf(world.blocks, '', MONDAY), await recordsOf(world.blocks, MONDAY, '9999-12-31')];
    expect(one?.close).toMatchObject({ records: closed.records, recordsHash: closed.recordsHash });
    expect([...closed.lines, ...open.lines].sort()).toEqual(all.map(spell).sort());
    expect(outcomes.flat().filter(({ day }) => day === MONDAY)).toHaveLength(closed.records);
  });

  it.each(['before', 'after'] as const)('killed %s any write and repeated, an import and a close are there once', async (when) => {
    const all = plain(9, MONDAY);
    const work = async (blocks: BlockStore): Promise<void> => {
      const booking = newBooking(blocks);
      for (let at = 0; at < all.length; at += 3) await booking.importRecords(all.slice(at, at + 3));
      await booking.closeDay(MONDAY);
    };
    for (let step = 1; step <= 4; step += 1) {
      let writes = 0;
      const mortal: BlockStore = {
        ...world.blocks,
        insert: async (block) => {
          writes += 1;
          if (writes === step && when === 'before') throw new Error('killed');
          const inserted = await world.blocks.insert(block);
          if (writes === step) throw new Error('killed');
          return inserted;
        },
      };
      await work(mortal).catch(() => undefined);
    }
    await work(world.blocks);
    const closed = await recordsOf(world.blocks, '', MONDAY);
    expect(closed.lines.sort()).toEqual(all.map(spell).sort());
    expect((await world.blocks.closeOf(MONDAY))?.close.records).toBe(9);
  });

  it('killed between the two writes of a report that was found late, its payment agrees after a repeat', async () => {
    const record = clearing(MONDAY);
    await bookDirectly(record);
    let reports: Awaited<ReturnType<FindReports>> = [{}];
    let state: 'alive' | 'dying' | 'killed' = 'alive';
    const { blocks, matches, cursors, items, clock } = world;
    const matching = startMatching({
      ...{ blocks, matches, cursors, booking: newBooking(blocks), findReports: async () => reports, waitMs: 86_400_000 },
      reportUnexplained: async () => undefined,
      items: {
        put: async (parts) => {
          if (state !== 'alive' && parts.length > 0) {
            state = 'killed';
            throw new Error('killed');
          }
          await items.put(parts);
        },
      },
      ...{ now: clock.now, logger: quietLogger },
    });
    const itemIds = async () => (await Array.fromAsync(items.openOrSince(new Date('2100-01-01')))).map(({ id }) => id);
    await waitFor('the first look', async () => ((await cursors.reached()) === 1 ? true : undefined));
    expect(await itemIds()).toEqual([`${record.source}:${record.id}`]);
    reports = [{ found: { paymentId: 'p', accountId: 'a', billedAmount: '2800', billingCurrency: 'EUR' } }];
    clock.advanceSeconds(7200);
    state = 'dying';
    matching.kick();
    await waitFor('the kill', async () => ((state as string) === 'killed' ? true : undefined));
    await matching.close();
    const repeated = startMatching({
      ...{ blocks, matches, cursors, items, booking: newBooking(blocks), findReports: async () => reports, waitMs: 86_400_000 },
      reportUnexplained: async () => undefined,
      ...{ now: clock.now, logger: quietLogger },
    });
    await waitFor('the report', async () => ((await matches.due(new Date('2100-01-01'), 1)).length === 0 ? true : undefined));
    await repeated.close();
    expect(await itemIds()).toEqual(['p/a']);
  });

  it('killed between two steps of matching, every clearing is looked at', async () => {
    const service = await world.start();
    world.state.isAway = true;
    const records = Array.from({ length: 5 }, () => clearing(MONDAY));
    for (const record of records) await service.importRecords(record);
    world.state.isAway = false;
    // An instance that starts goes on where the cursor is, whatever the former one has stored after it.
    await world.start();
    await waitFor('all clearings', async () => ((await world.cursors.reached()) === 5 ? true : undefined));
    expect(await world.matches.due(new Date('2100-01-01'), 100)).toHaveLength(5);
  });
});
