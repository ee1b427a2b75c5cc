import { quietLogger } from '@florin/rpc/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accountOpened } from '../domain/account-change.ts';
import type { Intent } from '../domain/draft-block.ts';
import type { Entry } from '../domain/entry.ts';
import { applyChange, keyOfChange, type Movement, movementChange, movementKey } from '../domain/movement.ts';
import { verifyShard } from '../testing/audit-memory.ts';
import { ACCOUNTS, type Clock, type Command, command, createClock, isAlone, OPENING } from '../testing/commands.ts';
import { intentOfCommand } from '../testing/intents.ts';
import { around, type Call, createMemoryStores, type MemoryStores } from '../testing/memory-stores.ts';
import { createModel } from '../testing/model.ts';
import { viewOf, wordOf } from '../testing/view.ts';
import { type Journal, type Outcome, openJournal } from './journal.ts';

const SHARD = '0';

const open = (stores: MemoryStores, clock: Clock, epoch: number, maxAccounts = 1): Promise<Journal> =>
  openJournal({
    shard: SHARD,
    epoch,
    ...stores,
    runtime: { now: clock.now },
    monotonicMs: () => clock.now().getTime(),
    logger: quietLogger,
    maxBlockEntries: 3,
    maxQueue: 1000,
    runEntries: 5,
    runsPerMerge: 3,
    maxAccounts,
    refreshMs: 3_600_000,
    projectionWaitMs: 2000,
  });

const verify = (stores: MemoryStores) => verifyShard({ shard: SHARD, ...stores });

/** Movements as a caller knows them: from the outcomes that it received. */
const createBook = () => {
  const movements = new Map<string, Movement>();
  const entries = new Map<string, Entry>();
  return {
    intentOf: (c: Command) =>
      intentOfCommand(c, {
        movement: (id) => movements.get(movementKey('deposits', id)) ?? movements.get(movementKey('withdrawals', id)),
        entry: (id) => entries.get(id),
      }),
    take: (outcome: Outcome): void => {
      if (outcome.kind !== 'created') return;
      entries.set(outcome.entry.id, outcome.entry);
      const change = movementChange(outcome.entry, outcome.place);
      const after = change && applyChange(movements.get(keyOfChange(change)), change);
      if (change !== undefined && after !== undefined) movements.set(keyOfChange(change), after);
    },
  };
};

const intentOf = (book: ReturnType<typeof createBook>, c: Command): Intent[] => {
  const intent = book.intentOf(c);
  return intent === undefined || typeof intent === 'string' ? [] : [intent];
};

/** What may happen between two requests. */
const EVENTS = [
  'nothing',
  'flush',
  'flush without its checkpoint, and abandon',
  'project without the checkpoint',
  'project nothing',
  'close',
  'abandon',
  'an abandoned writer goes on',
] as const;
type Event = (typeof EVENTS)[number];

const step = fc.record({ commands: fc.array(command, { minLength: 1, maxLength: 5 }), event: fc.constantFrom(...EVENTS) });

type Steps = { commands: Command[]; event: Event }[];

/** An older version of the system page has a balance that the newest version lacks, because it became zero. */
const SYSTEM_BALANCE_BECOMES_ZERO: Steps = [
  {
    event: 'nothing',
    commands: [
      {
        do: 'transfer',
        id: 0,
        forced: false,
        legs: [
          { debit: 'settlement', credit: 'a/settling', token: 0, amount: 4 },
          { debit: 'chain', credit: 'a', token: 0, amount: 1 },
        ],
      },
    ],
  },
  { event: 'nothing', commands: [{ do: 'block', account: 'a', change: 0 }] },
  {
    event: 'flush without its checkpoint, and abandon',
    commands: [
      {
        do: 'post',
        id: 0,
        account: 'a',
        token: 0,
        posting: undefined,
        parts: [{ credit: 'settlement', amount: 4 }],
        keepOpen: false,
        forced: true,
      },
    ],
  },
];

/** One engine, and the writers that come and go on it. Those that were abandoned live on until the end, with what they know by then. */
const createWorld = async () => {
  const clock = createClock();
  const stores = createMemoryStores(clock.now);
  const failing = new Set<Call>();
  const guarded = around(stores, (call, run) => (failing.has(call) ? Promise.reject(new Error('engine is away')) : run()));
  const living: Journal[] = [];
  let terms = 0;
  const start = async (): Promise<Journal> => {
    terms += 1;
    const journal = await open(guarded, clock, terms);
    living.push(journal);
    return journal;
  };
  let current = await start();
  const happen = async (event: Event): Promise<void> => {
    failing.clear();
    switch (event) {
      case 'nothing':
        return;
      case 'flush':
        await current.flush();
        return;
      case 'flush without its checkpoint, and abandon':
        failing.add('checkpoints.savePaged');
        await current.flush().catch(() => undefined);
        failing.clear();
        current = await start();
        return;
      case 'project without the checkpoint':
        failing.add('checkpoints.saveProjected');
        return;
      case 'project nothing':
        failing.add('projections.save');
        return;
      case 'close':
        living.splice(living.indexOf(current), 1);
        await current.close();
        current = await start();
        return;
      case 'abandon':
        current = await start();
        return;
      case 'an abandoned writer goes on': {
        const abandoned = living.find((journal) => journal !== current);
        if (abandoned !== undefined) await expect(abandoned.append([accountOpened('zombie')])).rejects.toThrow();
      }
    }
  };
  return { stores, clock, happen, journal: () => current, close: () => Promise.all(living.map((journal) => journal.close())) };
};

describe('the journal', () => {
  it('agrees with a simple model across restarts, failures and abandoned writers, with memory for one account', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25, size: 'max' }), async (steps) => {
        const [model, book, world] = [createModel(), createBook(), await createWorld()];
        const ask = async (batch: readonly Command[]): Promise<void> => {
          for (const c of batch) if (c.do === 'wait') world.clock.wait(c.steps);
          const asked = batch.flatMap((c) => {
            const intent = book.intentOf(c);
            // What is known without asking, and what there is nothing to ask about, are the rules' own property test's.
            return intent === undefined || typeof intent === 'string' ? [] : [{ c, intent }];
          });
          const outcomes = await world.journal().append(asked.map(({ intent }) => intent));
          outcomes.forEach(book.take);
          const words = asked.map(({ c }, index) => [c, outcomes[index] && wordOf(outcomes[index])]);
          expect(words).toEqual(
            batch.flatMap((c) => {
              const word = model.apply(c);
              return asked.some((one) => one.c === c) ? [[c, word]] : [];
            }),
          );
          for (const account of ACCOUNTS) expect(viewOf(await world.journal().account(account))).toEqual(model.view(account));
        };
        for (const c of OPENING) await ask([c]);
        for (const { commands, event } of steps) {
          await world.happen(event);
          // What moves time or needs a movement goes by itself: a batch knows what was there before it.
          const batch = commands.filter((c) => !isAlone(c));
          if (batch.length > 0) await ask(batch);
          for (const c of commands.filter(isAlone)) await ask([c]);
        }
        await world.happen('nothing');
        expect(await world.journal().projected()).toBe(true);
        await world.journal().flush();
        expect(await verify(world.stores)).toMatchObject({ bad: undefined });
        await world.close();
        expect(await verify(world.stores)).toMatchObject({ bad: undefined });
      }),
      { numRuns: 40, examples: [[SYSTEM_BALANCE_BECOMES_ZERO]] },
    );
  });
});

describe('a process that dies', () => {
  const SCRIPT: readonly (readonly Command[])[] = [
    [
      { do: 'open', account: 'a' },
      { do: 'open', account: 'b' },
    ],
    [
      { do: 'activate', account: 'a' },
      { do: 'activate', account: 'b' },
    ],
    [{ do: 'see', id: 0, account: 'a', token: 0, amount: 20 }],
    [{ do: 'resolve', id: 0, approve: true }],
    [
      { do: 'transfer', id: 0, forced: false, legs: [{ debit: 'a', credit: 'b', token: 0, amount: 7 }] },
      { do: 'hold', id: 1, account: 'b', token: 0, parts: [{ credit: 'fees', amount: 5 }], until: 9, forced: false },
      { do: 'withdraw', id: 0, account: 'a', token: 0, amount: 3, forced: false },
    ],
    [
      { do: 'post', id: 1, account: 'b', token: 0, posting: 0, parts: [{ credit: 'fees', amount: 2 }], keepOpen: true, forced: false },
      { do: 'increase', id: 1, account: 'b', token: 0, change: 0, parts: [{ credit: 'fees', amount: 1 }], until: 10, forced: false },
      { do: 'transfer', id: 2, forced: true, legs: [{ debit: 'b', credit: 'settlement', token: 0, amount: 9 }] },
      { do: 'report', id: 0, target: 'completed' },
    ],
    [{ do: 'block', account: 'b', change: 0 }],
  ];

  /** Plays the script on stores of which the k-th call is the last one: it happens (`kept`) or not, and all later ones fail. */
  const play = async (stores: MemoryStores, k: number, kept: boolean) => {
    let calls = 0;
    let die = (): void => undefined;
    const death = new Promise<'dead'>((resolve) => {
      die = () => resolve('dead');
    });
    const mortal = around(stores, async (_call, run) => {
      calls += 1;
      if (calls === k && kept) await run();
      if (calls >= k) {
        die();
        throw new Error('dead');
      }
      return run();
    });
    const [book, clock] = [createBook(), createClock()];
    const acknowledged: string[] = [];
    const journal = await open(mortal, clock, 1).catch(() => undefined);
    if (journal === undefined) return { acknowledged, calls, book };
    for (const batch of SCRIPT) {
      const intents = batch.flatMap((c) => intentOf(book, c));
      const outcomes = await Promise.race([journal.append(intents).catch(() => 'dead' as const), death]);
      if (outcomes === 'dead') break;
      for (const outcome of outcomes) {
        expect(outcome.kind).toBe('created');
        book.take(outcome);
        if (outcome.kind === 'created') acknowledged.push(outcome.entry.id);
      }
      await Promise.race([journal.flush().catch(() => undefined), death]);
    }
    await journal.projected();
    await journal.close();
    return { acknowledged, calls, book };
  };

  it('at any call to its stores loses nothing that it acknowledged, and can be replaced', async () => {
    const whole = await play(createMemoryStores(createClock().now), Number.POSITIVE_INFINITY, true);
    expect(whole.acknowledged).toHaveLength(SCRIPT.flat().length);
    expect(whole.calls).toBeGreaterThan(40);
    const cases = Array.from({ length: whole.calls }, (_, index) => index + 1).flatMap((k) => [
      { k, kept: false },
      { k, kept: true },
    ]);
    await Promise.all(
      cases.map(async ({ k, kept }) => {
        const stores = createMemoryStores(createClock().now);
        const { acknowledged } = await play(stores, k, kept);
        const clock = createClock();
        const second = await open(stores, clock, 2);
        const model = createModel();
        // The same again, from the start: what was acknowledged is known, and everything comes to the same end.
        for (const batch of SCRIPT) {
          const intents = batch.flatMap((c) => intentOf(whole.book, c));
          const outcomes = await second.append(intents);
          outcomes.forEach((outcome, index) => {
            const id = intents[index]?.id ?? '';
            expect([k, kept, id, outcome.kind, wordOf(outcome)]).toEqual(
              outcome.kind === 'exists' || acknowledged.includes(id)
                ? [k, kept, id, 'exists', 'same']
                : [k, kept, id, 'created', 'created'],
            );
          });
          for (const c of batch) expect(model.apply(c)).toBe('created');
          await second.projected();
        }
        for (const account of ACCOUNTS) expect(viewOf(await second.account(account))).toEqual(model.view(account));
        await second.projected();
        await second.close();
        expect([k, kept, await verify(stores)]).toMatchObject([k, kept, { bad: undefined, entries: SCRIPT.flat().length }]);
      }),
    );
  });
});
