import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type Entry, EntryKind, EntrySchema, type MovementFacts } from '@florin/proto/ledger/v1/entry';
import { createLogger } from '@florin/rpc/observe';
import { waitFor } from '@florin/rpc/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { createReader } from '../testing/reader.ts';
import { createWorld, newId, type World } from '../testing/world.ts';

/** Enough on a machine with other work. */
const LONG_MS = 120_000;

const worlds: World[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

const newWorld = async () => {
  const world = await createWorld({ METRICS_PORT: '0' });
  worlds.push(world);
  const accountId = newId();
  world.neighbours.holders.set(accountId, world.newUser('acme'));
  type More = { accountId?: string; holdId?: string; reverses?: string; movement?: Partial<MovementFacts> };
  const entry = (id: string, kind: EntryKind, credit: string, shard = '0', more: More = {}): Entry =>
    create(EntrySchema, {
      id,
      kind,
      shard,
      accountId,
      createdAt: timestampFromDate(world.clock.now()),
      transfers: credit === '' ? [] : [{ debit: `${accountId}/incoming`, credit, token: 'EURe', amount: '1' }],
      ...(more as object),
    });
  return { world, accountId, entry, journal: world.neighbours.journal };
};

const readAll = async (at: Awaited<ReturnType<World['start']>>, partnerId = 'acme') => {
  const { events } = await at.feed.listEvents({ partnerId, limit: 500 }, at.backOffice);
  const reader = createReader();
  reader.take(events);
  return events;
};

const untilRead = (at: Awaited<ReturnType<World['start']>>, count: number, partnerId = 'acme') =>
  waitFor(
    `${count} events`,
    async () => {
      const events = await readAll(at, partnerId);
      return events.length >= count ? events : undefined;
    },
    LONG_MS,
  );

describe('events of the journal', { timeout: LONG_MS }, () => {
  it('tells what every entry was', async () => {
    const { world, accountId, entry, journal } = await newWorld();
    const available = `${accountId}/available`;
    const holdId = newId();
    const entries: [Entry, string | undefined][] = [
      [entry('deposit/100/0xaa/0/seen', EntryKind.DEPOSIT, `${accountId}/incoming`), 'deposit.seen'],
      [entry('deposit/d1/resolved', EntryKind.DEPOSIT, available), 'deposit.approved'],
      [entry('deposit/d2/resolved', EntryKind.DEPOSIT, 'refused'), 'deposit.rejected'],
      [entry('deposit/d1/reversed', EntryKind.DEPOSIT, 'chain'), 'deposit.reversed'],
      [entry('withdrawal/w1/created', EntryKind.WITHDRAWAL, `${accountId}/outgoing`), 'withdrawal.created'],
      [entry('withdrawal/w1/processing', EntryKind.WITHDRAWAL, ''), 'withdrawal.processing'],
      [entry('withdrawal/w1/ended', EntryKind.WITHDRAWAL, 'chain'), 'withdrawal.completed'],
      [entry('withdrawal/w2/ended', EntryKind.WITHDRAWAL, available), 'withdrawal.failed'],
      [entry(`account/${accountId}/opened`, EntryKind.ACCOUNT, ''), undefined],
      [entry(newId(), EntryKind.TRANSFER, 'settlement'), 'entry.transferred'],
      [entry(holdId, EntryKind.HOLD_CREATED, `${accountId}/held`, '0', { holdId }), 'hold.created'],
      [entry(`hold/${holdId}/ended`, EntryKind.HOLD_POSTED, 'settlement', '0', { holdId }), 'hold.posted'],
      [entry('reversal/x/1', EntryKind.REVERSAL, available, '0', { reverses: 'x' }), 'entry.reversed'],
    ];
    journal.set(
      '0',
      entries.map(([one]) => one),
    );
    const at = await world.start();
    const expected = entries.flatMap(([, type]) => type ?? []);
    const events = await untilRead(at, expected.length);
    expect(events.map(({ type }) => type)).toEqual(expected);
    expect(JSON.parse(events[10]?.dataJson ?? '')).toEqual({
      userId: world.neighbours.holders.get(accountId),
      entryId: `hold/${holdId}/ended`,
      accountId,
      holdId,
      transfers: [{ debit: `${accountId}/incoming`, credit: 'settlement', token: 'EURe', amount: '1' }],
    });
  });

  it('tells of deposits and withdrawals by their own ids, and in the first version by their entries', async () => {
    const { world, accountId, entry, journal } = await newWorld();
    const userId = world.neighbours.holders.get(accountId);
    const [deposit, withdrawal, other] = [newId(), newId(), newId()];
    const facts = { token: 'EURe', amount: '25', decimals: 18, currency: 'EUR', txHash: '0xaa' };
    const of = (id: string) => ({ movement: { id, ...facts } });
    const available = `${accountId}/available`;
    journal.set('0', [
      entry('deposit/100/0xaa/0/seen', EntryKind.DEPOSIT, `${accountId}/incoming`, '0', of(deposit)),
      entry(`deposit/${deposit}/resolved`, EntryKind.DEPOSIT, available, '0', of(deposit)),
      entry(`deposit/${deposit}/reversed`, EntryKind.DEPOSIT, 'chain', '0', of(deposit)),
      entry(`withdrawal/${withdrawal}/created`, EntryKind.WITHDRAWAL, `${accountId}/outgoing`, '0', of(withdrawal)),
      entry(`withdrawal/${other}/created`, EntryKind.WITHDRAWAL, `${accountId}/outgoing`, '0', of(other)),
      entry(`withdrawal/${withdrawal}/processing`, EntryKind.WITHDRAWAL, '', '0', of(withdrawal)),
      entry(`withdrawal/${other}/ended`, EntryKind.WITHDRAWAL, available, '0', of(other)),
      entry(`withdrawal/${withdrawal}/ended`, EntryKind.WITHDRAWAL, 'chain', '0', of(withdrawal)),
    ]);
    const at = await world.start();
    const events = await untilRead(at, 8);
    expect(events.map(({ subject, subjectSequence }) => `${subject} ${subjectSequence}`)).toEqual([
      ...[1, 2, 3].map((number) => `deposit/${deposit} ${number}`),
      `withdrawal/${withdrawal} 1`,
      `withdrawal/${other} 1`,
      `withdrawal/${withdrawal} 2`,
      // It was never under way: the steps that it skips are not counted.
      `withdrawal/${other} 2`,
      `withdrawal/${withdrawal} 3`,
    ]);
    expect(events.map(({ dataJson }) => JSON.parse(dataJson).status)).toEqual([
      ...['pending', 'approved', 'reversed', 'pending', 'pending', 'processing', 'failed', 'completed'],
    ]);
    expect(JSON.parse(events[1]?.dataJson ?? '')).toEqual({ depositId: deposit, accountId, userId, status: 'approved', ...facts });
    expect(JSON.parse(events[5]?.dataJson ?? '')).toMatchObject({ withdrawalId: withdrawal, userId, ...facts });
    const former = await at.feed.listEvents({ partnerId: 'acme', dataVersion: 1 }, at.backOffice);
    expect(JSON.parse(former.events[1]?.dataJson ?? '')).toEqual({
      entryId: `deposit/${deposit}/resolved`,
      accountId,
      transfers: [{ debit: `${accountId}/incoming`, credit: available, token: 'EURe', amount: '1' }],
    });
    // Read again, as after a kill before the place in the journal was stored, nothing is appended or numbered anew.
    await at.close();
    await world.connection.collection('journal_cursors').deleteMany({});
    journal.set('0', [...(journal.get('0') ?? []), entry('one', EntryKind.TRANSFER, 'settlement')]);
    const again = await world.start();
    expect((await untilRead(again, 9)).map(({ id }) => id).slice(0, 8)).toEqual(events.map(({ id }) => id));
  });

  it('goes on with the feeds of earlier releases: no entry is told again, and their events are shown in both versions', async () => {
    const { world, accountId, entry, journal } = await newWorld();
    const deposit = newId();
    const seen = entry('deposit/100/0xaa/0/seen', EntryKind.DEPOSIT, `${accountId}/incoming`);
    const resolved = entry(`deposit/${deposit}/resolved`, EntryKind.DEPOSIT, `${accountId}/available`);
    // Without the facts, an entry is told as they told it.
    journal.set('0', [seen, resolved]);
    const at = await world.start();
    const former = await untilRead(at, 2);
    expect(former.map(({ subject }) => subject)).toEqual([`entry/0/${seen.id}`, `entry/0/${resolved.id}`]);
    expect(former.map(({ dataJson }) => JSON.parse(dataJson))).toEqual([
      { accountId, userId: expect.any(String), token: 'EURe', amount: '1', txHash: '0xaa', status: 'pending' },
      { accountId, userId: expect.any(String), token: 'EURe', amount: '1', depositId: deposit, status: 'approved' },
    ]);
    await at.close();
    await world.connection.collection('journal_cursors').deleteMany({});
    const facts = { movement: { id: deposit } };
    journal.set('0', [
      entry(seen.id, EntryKind.DEPOSIT, `${accountId}/incoming`, '0', facts),
      entry(resolved.id, EntryKind.DEPOSIT, `${accountId}/available`, '0', facts),
      entry(`deposit/${deposit}/reversed`, EntryKind.DEPOSIT, 'chain', '0', facts),
    ]);
    const later = await world.start();
    expect((await untilRead(later, 3)).map(({ type }) => type)).toEqual(['deposit.seen', 'deposit.approved', 'deposit.reversed']);
  });

  it.each([EntryKind.UNSPECIFIED, 99 as EntryKind])(
    'waits at an entry of kind %i for the release that knows it, and loses nothing',
    async (kind) => {
      const { world, entry, journal } = await newWorld();
      const known = ['one', 'two', 'three', 'four'].map((id) => entry(id, EntryKind.TRANSFER, 'settlement'));
      journal.set('0', known.toSpliced(1, 0, entry('later', kind, 'settlement')));
      const errors: string[] = [];
      const at = await world.start({ logger: createLogger('events', 'error', { write: (line) => void errors.push(line) }) });
      await waitFor('two tries', async () => (errors.length > 1 ? true : undefined), LONG_MS);
      const metrics = await fetch(`${at.app.internalUrl}/metrics`);
      expect(await metrics.text()).toMatch(/^florin_journal_shards_unread\S* 1$/m);
      expect(errors[0]).toContain(`the entry later of shard 0 is of kind ${kind}`);
      expect((await readAll(at)).map(({ subject }) => subject)).toEqual(['entry/0/one']);
      await at.close();
      // The later release.
      journal.set('0', known.toSpliced(1, 0, entry('later', EntryKind.REVERSAL, 'settlement')));
      const later = await world.start();
      expect((await untilRead(later, 5)).map(({ subject }) => subject)).toEqual(
        ['one', 'later', 'two', 'three', 'four'].map((id) => `entry/0/${id}`),
      );
    },
  );

  it('sends entries without an account to the feed of the platform', async () => {
    const { world, entry, journal } = await newWorld();
    journal.set('0', [entry(newId(), EntryKind.TRANSFER, 'settlement', '0', { accountId: '' })]);
    const at = await world.start();
    expect((await untilRead(at, 1, '_platform')).map(({ type }) => type)).toEqual(['entry.transferred']);
  });

  it('follows every shard, also one that is added', async () => {
    const { world, entry, journal } = await newWorld();
    const at = await world.start();
    journal.set('1', [entry('one', EntryKind.TRANSFER, 'settlement', '1')]);
    await untilRead(at, 1);
    journal.get('0')?.push(entry('one', EntryKind.TRANSFER, 'settlement'));
    expect((await untilRead(at, 2)).map(({ subject }) => subject)).toEqual(['entry/1/one', 'entry/0/one']);
  });

  it.each([
    ['before it has grown again', 2],
    ['after it has grown beyond what was read', 30],
  ])('reads a journal that was restored to an earlier state on from where it is the same, %s', async (_when, count) => {
    const { world, entry, journal } = await newWorld();
    const entriesOf = (prefix: string, length: number) =>
      Array.from({ length }, (_, index) => entry(`${prefix}${index}`, EntryKind.TRANSFER, 'settlement'));
    const [common, lost, anew] = [entriesOf('common', 20), entriesOf('lost', 10), entriesOf('anew', count)];
    journal.set('0', [...common, ...lost]);
    const before = await world.start();
    await untilRead(before, 30);
    await before.close();
    journal.set('0', [...common, ...anew]);
    const errors: string[] = [];
    const after = await world.start({ logger: createLogger('events', 'error', { write: (line) => void errors.push(line) }) });
    const events = await untilRead(after, 30 + count);
    expect(events.map(({ subject }) => subject)).toEqual([...common, ...lost, ...anew].map(({ id }) => `entry/0/${id}`));
    expect(errors.join()).toContain('the journal does not have what was read of it');
    // The next one goes on without looking back.
    await after.close();
    journal.get('0')?.push(...entriesOf('more', 1));
    const last = await world.start({ logger: createLogger('events', 'error', { write: () => expect.fail('an error was logged') }) });
    expect((await untilRead(last, 31 + count)).at(-1)?.subject).toBe('entry/0/more0');
  });

  it('goes on where a former release has stopped', async () => {
    const { world, entry, journal } = await newWorld();
    journal.set(
      '0',
      [1, 2, 3].map((n) => entry(`e${n}`, EntryKind.TRANSFER, 'settlement')),
    );
    await world.connection.collection<{ _id: string; position: string }>('journal_cursors').insertOne({ _id: '0', position: '2' });
    const at = await world.start();
    expect((await untilRead(at, 1)).map(({ subject }) => subject)).toEqual(['entry/0/e3']);
  });

  it('loses and doubles nothing when it is killed before and after its writes, with two instances', async () => {
    const { world, entry, journal } = await newWorld();
    const count = 30;
    journal.set(
      '0',
      Array.from({ length: count }, (_, index) => entry(`e${index}`, EntryKind.TRANSFER, 'settlement')),
    );
    let calls = 0;
    const wrapBlocks: Parameters<World['start']>[0] = {
      wrapBlocks: (blocks) => ({
        ...blocks,
        insert: async (block) => {
          calls += 1;
          if (calls % 5 === 1) throw new Error('killed before the write');
          const inserted = await blocks.insert(block);
          if (calls % 5 === 3) throw new Error('killed after the write');
          return inserted;
        },
      }),
    };
    const first = await world.start(wrapBlocks);
    await untilRead(first, 9);
    await first.close();
    // A kill between the events and the position leaves an earlier position.
    await world.connection.collection<{ _id: string }>('journal_cursors').updateOne({ _id: '0' }, { $set: { position: '3' } });
    const [second, third] = [await world.start(wrapBlocks), await world.start(wrapBlocks)];
    const events = await untilRead(second, count);
    expect(events.map(({ subject }) => subject)).toEqual(Array.from({ length: count }, (_, index) => `entry/0/e${index}`));
    await third.close();
  });
});
