import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { openStore } from '@florin/data/store';
import { testEnvironment } from '@florin/data/testing';
import { ExceptionService } from '@florin/proto/card/v1/exception_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { SETTLEMENT_SCOPES } from '@florin/proto/settlement/v1/scopes';
import { ImportOutcome, SettlementService } from '@florin/proto/settlement/v1/settlement_service';
import { createRpcChannel } from '@florin/rpc/client';
import { loadConfig } from '@florin/rpc/config';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { createSigningKey } from '@florin/rpc/signing-key';
import { createTestAuthority, fakeClock, implementPart, quietLogger, startNeighbour, waitFor } from '@florin/rpc/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { createApp } from './app.ts';
import { createBooking } from './booking/booking.ts';
import { configShape } from './config.ts';
import { DayRecords, isValidClose, unbalanced } from './domain/block.ts';
import { type SettlementRecord, spell } from './domain/record.ts';
import { type BlockStore, createBlockStore } from './store/blocks.ts';
import { createMatchStore } from './store/matches.ts';
import { bankMovement, clearing, collection, correction } from './testing/records.ts';

const NOON = new Date('2026-11-25T12:00:00Z');
const [MONDAY, TUESDAY, WEDNESDAY] = ['2026-11-23', '2026-11-24', '2026-11-25'] as const;

const { readBooks, writeRecords, closeDays } = SETTLEMENT_SCOPES;

/** The service on a database of its own, with a stand-in for the card service that knows some transactions. */
const createWorld = async () => {
  const authority = await createTestAuthority({
    settlement: [CARD_SCOPES.matchSettlement],
    processor: [writeRecords],
    office: [readBooks, closeDays],
  });
  const clock = fakeClock(NOON);
  const state = { isAway: false, known: new Set<string>(), asked: [] as { transactionId: string; raiseUnmatched: boolean }[] };
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
              const report = { paymentId: transactionId, accountId: randomUUID(), billedAmount: amount, billingCurrency: 'EUR' };
              return state.known.has(transactionId) ? report : { exceptionId: raiseUnmatched ? transactionId : '' };
            }),
          };
        }),
      }),
    ],
  });
  const key = { ...generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }), kid: 'settlement' };
  const environment = testEnvironment('settlement', authority, {
    IDENTITY_URL: 'http://127.0.0.1:9',
    CARD_URL: card.url,
    SETTLEMENT_KEY: JSON.stringify(key),
  });
  const store = await openStore({
    uri: String(environment['MONGODB_URI']),
    database: String(environment['MONGODB_DATABASE']),
    poolSize: 4,
    logger: quietLogger,
  });
  const closers: (() => Promise<unknown>)[] = [() => store.connection.dropDatabase(), store.close, () => card.close(0)];
  return {
    clock,
    state,
    store,
    blocks: createBlockStore(store.connection),
    matches: createMatchStore(store.connection),
    key: createSigningKey(key as Parameters<typeof createSigningKey>[0]),

    /** Starts the service; any number of them share the world's database. */
    start: async () => {
      const app = await createApp(loadConfig(configShape, environment), {
        runtime: { now: clock.now },
        userKeys: authority.userKeys,
        logger: quietLogger,
      });
      const channel = createRpcChannel({ baseUrl: app.url, timeoutMs: 20_000 });
      closers.unshift(async () => {
        await channel.close();
        await app.close();
      });
      const client = channel.client(SettlementService);
      const as = async (name: string, scopes: string[]) => ({
        headers: { authorization: `Bearer ${await authority.serviceToken(name, 'settlement', scopes)}` },
      });
      return {
        importRecords: async (...records: ReturnType<typeof clearing>[]) =>
          (await client.importRecords({ records }, await as('processor', [writeRecords]))).records.map(({ outcome, day }) => ({
            outcome,
            day,
          })),
        closeDay: async (day: string) => (await client.closeDay({ day }, await as('office', [closeDays]))).close,
        getDay: async (day: string) => (await client.getDay({ day }, await as('office', [readBooks]))).close,
        balances: async () => {
          const { balances } = await client.listBalances({}, await as('office', [readBooks]));
          return Object.fromEntries(balances.map(({ account, amount }) => [account, amount]));
        },
      };
    },

    close: async () => {
      for (const close of closers) await close();
    },
  };
};

let world: Awaited<ReturnType<typeof createWorld>>;
beforeEach(async () => {
  world = await createWorld();
  return () => world.close();
});

const booked = (day: string) => ({ outcome: ImportOutcome.BOOKED, day });
const existing = (day: string) => ({ outcome: ImportOutcome.EXISTING, day });

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
    await expect(service.importRecords(clearing(MONDAY), record)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
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
    await waitFor('both clearings', async () => ((await world.matches.reached()) === 2 ? true : undefined));
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

const newBooking = (blocks: BlockStore) => createBooking({ blocks, key: world.key, now: world.clock.now, grown: () => undefined });

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
    const bookings = [newBooking(world.blocks), newBooking(createBlockStore(world.store.connection))] as const;
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

  it('killed between two steps of matching, every clearing is looked at', async () => {
    const service = await world.start();
    world.state.isAway = true;
    const records = Array.from({ length: 5 }, () => clearing(MONDAY));
    for (const record of records) await service.importRecords(record);
    world.state.isAway = false;
    // An instance that starts goes on where the cursor is, whatever the former one has stored after it.
    await world.start();
    await waitFor('all clearings', async () => ((await world.matches.reached()) === 5 ? true : undefined));
    expect(await world.matches.due(new Date('2100-01-01'), 100)).toHaveLength(5);
  });
});
