import { scaled } from '@florin/rpc/testing/scaled';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accountOpened } from '../domain/account-change.ts';
import { ACCOUNTS, type Command, command, createClock, isAlone, OPENING } from '../testing/commands.ts';
import { createBook, openJournalOf, verify } from '../testing/journal-book.ts';
import { around, type Call, createMemoryStores } from '../testing/memory-stores.ts';
import { createModel } from '../testing/model.ts';
import { viewOf, wordOf } from '../testing/view.ts';
import type { Journal } from './journal.ts';

/** Events between two requests. */
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
    const journal = await openJournalOf(guarded, clock, terms);
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
            // Intents that memory knows or need no look-up belong to the rules' own property test.
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
          // Commands that move time or need a movement go alone: a batch knows what was there before it.
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
      { numRuns: scaled(40), examples: [[SYSTEM_BALANCE_BECOMES_ZERO]] },
    );
  });
});
