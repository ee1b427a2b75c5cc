import { describe, expect, it } from 'vitest';
import { readBlock, replayEntries } from '../journal/chain.ts';
import { admit, MAX_OPEN_HOLDS, REFUSALS, type Refusal } from './admit-entry.ts';
import { applyEntry, InvariantError, movesOf } from './apply-entry.ts';
import { encodeEntries, GENESIS, sealBlock } from './block.ts';
import type { Entry, EntryKind, Proposal, Transfer } from './entry.ts';
import { userAccount } from './ledger-account.ts';
import { createSpeculation, createWholeState } from './shard-state.ts';

const AT = new Date(1000);
/** A token whose chain is halted, and one that is blocked. */
const [HALTED, BLOCKED] = ['GBPe', 'USDCe'];
const CANNOT_BE_SPENT = new Map([
  [HALTED, 'CHAIN_HALTED'],
  [BLOCKED, 'TOKEN_BLOCKED'],
] as const);
const PAST = new Date(0).toISOString();

let ids = 0;
const entryOf = (kind: EntryKind, accountId: string, transfers: readonly Transfer[] = [], data: Record<string, string> = {}): Proposal => {
  ids += 1;
  return { id: `e${ids}`, kind, accountId, inputHash: '', transfers, data };
};
const move = (debit: string, credit: string, amount = 5n): Transfer => ({ debit, credit, token: 'EURe', amount });
const available = (accountId: string): string => userAccount(accountId, 'available');
const hold = (accountId: string, amount = 1n): Proposal =>
  entryOf('hold.created', accountId, [move(available(accountId), userAccount(accountId, 'held'), amount)], {
    credit: 'settlement',
    expiresAt: PAST,
  });
const opened = (accountId: string): Proposal[] => [entryOf('account.opened', accountId), entryOf('account.activated', accountId)];

/** Rules that are invariants as well: breaking them leaves nothing that could be replayed. */
const STRUCTURAL: ReadonlySet<Refusal> = new Set(['ACCOUNT_NOT_FOUND']);

/** Entries with the admission rule of today that each breaks; undefined for those that set up the accounts. */
const history = (): [Refusal | undefined, Proposal][] => [
  ...['a', 'b', 'c', 'd'].flatMap(opened).map((entry): [undefined, Proposal] => [undefined, entry]),
  [undefined, entryOf('transfer', 'a', [move('settlement', available('a'), 2n * BigInt(MAX_OPEN_HOLDS))])],
  ['HOLD_EXPIRED', hold('a')],
  // Beyond the limit, and posted, all after its time.
  ...Array.from({ length: MAX_OPEN_HOLDS }, (): [Refusal, Proposal] => ['HOLD_EXPIRED', hold('a')]),
  ['HOLD_LIMIT_REACHED', { ...hold('a'), data: { credit: 'settlement', expiresAt: new Date(AT.getTime() + 1).toISOString() } }],
  ['INSUFFICIENT_FUNDS', entryOf('transfer', 'b', [move(available('b'), 'fees')])],
  [undefined, entryOf('account.blocked', 'c')],
  ['ACCOUNT_BLOCKED', entryOf('transfer', 'c', [move(available('c'), available('a'))])],
  ...opened('f').map((entry): [undefined, Proposal] => [undefined, entry]),
  [undefined, entryOf('transfer', 'f', [move('settlement', available('f'), 9n)])],
  ['COLLECTION_LIMIT_REACHED', { ...hold('f', 5n), data: { credit: 'settlement', expiresAt: new Date(AT.getTime() + 1).toISOString() } }],
  ['CHAIN_HALTED', entryOf('transfer', 'd', [{ ...move(available('d'), 'fees'), token: HALTED }])],
  ['TOKEN_BLOCKED', entryOf('transfer', 'd', [{ ...move(available('d'), 'fees'), token: BLOCKED }])],
  ['ACCOUNT_STATE_CONFLICT', entryOf('account.blocked', 'c')],
  [undefined, entryOf('account.opened', 'e')],
  ['ACCOUNT_NOT_ACTIVE', entryOf('transfer', 'e', [move(available('e'), 'fees')])],
  ['ACCOUNT_NOT_EMPTY', entryOf('account.closed', 'b')],
  ['ACCOUNT_CLOSED', entryOf('transfer', 'b', [move('settlement', available('b'))])],
];

/** A block as a writer with other rules would have written it, with what today's rules say of each entry. */
const writeFreely = (entries: readonly [Refusal | undefined, Proposal][]) => {
  const speculation = createSpeculation(createWholeState());
  const refusals: (Refusal | undefined)[] = [];
  const written = entries.map(([, proposal]): Entry => {
    refusals.push(admit(speculation, proposal, movesOf(proposal), AT, undefined, CANNOT_BE_SPENT, new Map([['EURe', 4n]])));
    return { ...proposal, booked: applyEntry(speculation, proposal) };
  });
  return { refusals, speculation, block: sealBlock(GENESIS, { shard: '0', epoch: 1, at: AT, body: encodeEntries(written) }) };
};

describe('a replay', () => {
  it('accepts a journal that breaks every admission rule of today', () => {
    const entries = history();
    const { refusals, speculation, block } = writeFreely(entries);
    expect(refusals).toEqual(entries.map(([refusal]) => refusal));
    expect(new Set([...refusals, ...STRUCTURAL])).toEqual(new Set([undefined, ...REFUSALS]));
    const replayed = replayEntries(createWholeState(), block, readBlock(GENESIS, block));
    expect(replayed.accounts()).toEqual(speculation.accounts());
    expect(replayed.systems()).toEqual(speculation.systems());
  });

  it.each<[string, (entries: Entry[]) => Entry[]]>([
    [
      'states a booked balance that is not the derived one',
      (entries) => entries.map((entry) => ({ ...entry, booked: entry.booked.map((amount) => amount + 1n) })),
    ],
    ['has an id twice', (entries) => [...entries, { ...entryOf('account.opened', 'z'), id: entries[0]?.id ?? '', booked: [] }]],
    [
      'touches an account that was never opened',
      (entries) => [...entries, { ...entryOf('transfer', 'z', [move('settlement', available('z'))]), booked: [5n] }],
    ],
    ['opens an account twice', (entries) => [...entries, { ...entryOf('account.opened', 'a'), booked: [] }]],
    ['ends a hold that is not open', (entries) => [...entries, { ...entryOf('hold.voided', 'a', [], { holdId: 'x' }), booked: [] }]],
    [
      'holds money that no hold accounts for',
      (entries) => [...entries, { ...entryOf('hold.voided', 'a', [], { holdId: 'h' }), booked: [] }],
    ],
    ['moves nothing', (entries) => [...entries, { ...entryOf('transfer', 'a', [move('settlement', available('a'), 0n)]), booked: [10n] }]],
  ])('rejects a block that %s', (_name, change) => {
    const speculation = createSpeculation(createWholeState());
    const sound = [...opened('a'), entryOf('transfer', 'a', [move('settlement', available('a'), 10n)]), { ...hold('a'), id: 'h' }].map(
      (proposal): Entry => ({ ...proposal, booked: applyEntry(speculation, proposal) }),
    );
    const replay = (entries: readonly Entry[]) => {
      const block = sealBlock(GENESIS, { shard: '0', epoch: 1, at: AT, body: encodeEntries(entries) });
      return replayEntries(createWholeState(), block, readBlock(GENESIS, block));
    };
    expect(() => replay(sound)).not.toThrow();
    expect(() => replay(change(sound))).toThrow(InvariantError);
  });
});
