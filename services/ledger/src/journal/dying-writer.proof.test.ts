import { describe, expect, it } from 'vitest';
import { ACCOUNTS, type Command, createClock } from '../testing/commands.ts';
import { createBook, intentOf, openJournalOf, verify } from '../testing/journal-book.ts';
import { around, createMemoryStores, type MemoryStores } from '../testing/memory-stores.ts';
import { createModel } from '../testing/model.ts';
import { viewOf, wordOf } from '../testing/view.ts';

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
    const journal = await openJournalOf(mortal, clock, 1).catch(() => undefined);
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
        const second = await openJournalOf(stores, clock, 2);
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
