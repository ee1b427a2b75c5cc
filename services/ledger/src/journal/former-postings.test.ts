import { afterEach, expect, it } from 'vitest';
import { holdOrdered } from '../domain/hold.ts';
import { holdPosted } from '../domain/hold-posting.ts';
import { createMemoryStores } from '../testing/memory-stores.ts';
import { accounts, available, closeJournals, openNext } from '../testing/next-journal.ts';

afterEach(closeJournals);

const KEY = { accountId: 'a', holdId: 'h' };
const parts = [{ credit: 'settlement', amount: 5n }];
const share = { token: 'EURe', parts };

/** The posting that a release wrote whose ids of postings depended on the hold, with the hash that it kept. */
const formerly = () => ({
  ...holdPosted(KEY, { postingId: 'p', share, keepOpen: true, forced: true }),
  id: 'hold/h/posting/p',
  former: undefined,
  inputHash: () => 'a1IO1i-iqFkiNuvbq-vwGXSXFs2x8xXuxZCufSqYTso',
});

it('a posting under the id of an earlier release is known, also from the engine', async () => {
  const stores = createMemoryStores();
  const before = await openNext(stores);
  await before.append(accounts('a'));
  const hold = holdOrdered({
    id: 'h',
    accountId: 'a',
    token: 'EURe',
    parts: [{ credit: 'settlement', amount: 9n }],
    expiresAt: new Date('2090-01-01'),
  });
  const written = { ...formerly(), propose: formerly().propose };
  const proposed: typeof written.propose = (state, at) => {
    const proposal = written.propose(state, at);
    return typeof proposal === 'string' ? proposal : { ...proposal, id: written.id, inputHash: written.inputHash() };
  };
  expect(await before.append([hold, { ...written, propose: proposed }])).toMatchObject([{ kind: 'created' }, { kind: 'created' }]);
  const left = await available(before, 'a');
  await before.projected();
  await before.close();

  const journal = await openNext(stores);
  const again = holdPosted(KEY, { postingId: 'p', share, keepOpen: true, forced: true });
  expect(await journal.append([again])).toMatchObject([{ kind: 'exists', same: true }]);
  const other = holdPosted(KEY, {
    postingId: 'p',
    share: { token: 'EURe', parts: [{ credit: 'settlement', amount: 4n }] },
    keepOpen: true,
    forced: true,
  });
  expect(await journal.append([other])).toMatchObject([{ kind: 'exists', same: false }]);
  expect(await available(journal, 'a')).toEqual(left);
});
