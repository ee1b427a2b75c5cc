import { describe, expect, it } from 'vitest';
import { viewOf } from '../testing/view.ts';
import { accountActivated, accountBlocked, accountClosed, accountOpened } from './account-change.ts';
import { admit, type HaltedTokens } from './admit-entry.ts';
import { applyEntry, InvariantError, movesOf } from './apply-entry.ts';
import { createDraft, type Intent, judge } from './draft-block.ts';
import { decodeEntry, type Entry, encodeEntry, type KnownEntry, type Proposal } from './entry.ts';
import { holdEndId, holdOrdered } from './hold.ts';
import { holdPosted } from './hold-posting.ts';
import { userAccount } from './ledger-account.ts';
import { createSpeculation, createWholeState, type Speculation, type WholeState } from './shard-state.ts';
import { transferOrdered } from './transfer-order.ts';

const AT = new Date(1000);

/** A state in which the accounts are active and `a` has 10 EURe. */
const funded = (...accounts: readonly string[]): WholeState => {
  const state = createWholeState();
  const speculation = createSpeculation(state);
  const put = (proposal: Proposal) => applyEntry(speculation, proposal);
  const ask = ({ propose }: ReturnType<typeof accountOpened>): Proposal => {
    const proposal = propose(speculation, AT);
    if (typeof proposal === 'string') throw new Error(proposal);
    return proposal;
  };
  for (const account of accounts) {
    put(ask(accountOpened(account)));
    put(ask(accountActivated(account)));
  }
  put(entry({ debit: 'chain', credit: userAccount('a', 'available'), token: 'EURe', amount: 10n }));
  state.merge(speculation);
  return state;
};

const entry = (...transfers: Proposal['transfers']): Proposal => ({
  id: 'x',
  kind: 'deposit.approved',
  accountId: 'a',
  inputHash: '',
  transfers,
  data: {},
});

/** Admits and applies an entry, as drafting does. */
const tryEntry = (state: Speculation, proposal: Proposal) => {
  const moves = movesOf(proposal);
  const refusal = admit(state, proposal, moves, AT);
  return refusal === undefined ? { booked: applyEntry(state, proposal, moves) } : { refusal };
};

describe('an entry', () => {
  const [available, held] = [userAccount('a', 'available'), userAccount('a', 'held')];
  const transfer = (debit: string, credit: string, amount = 5n, token = 'EURe') => ({ debit, credit, token, amount });

  it('is refused as a whole when it overdraws in the middle, though not at the end', () => {
    const state = createSpeculation(funded('a'));
    const balances = () => viewOf(state.account('a'))?.balances;
    expect(tryEntry(state, entry(transfer(available, 'fees', 15n), transfer('chain', available, 9n)))).toEqual({
      refusal: 'INSUFFICIENT_FUNDS',
    });
    expect(tryEntry(state, entry(transfer(available, held, 4n), transfer('chain', available, 1n), transfer(held, 'fees', 5n)))).toEqual({
      refusal: 'INSUFFICIENT_FUNDS',
    });
    expect(balances()).toEqual({ 'EURe/available': 10n });
    expect([state.system('chain', 'EURe'), state.system('fees', 'EURe')]).toEqual([-10n, 0n]);
    expect(tryEntry(state, entry(transfer('chain', available), transfer(available, 'fees', 15n)))).toEqual({ booked: [0n] });
    expect(balances()).toEqual({});
  });

  it('cannot take what was refused by screening, or the fees, below zero', () => {
    const state = createSpeculation(funded('a'));
    expect(tryEntry(state, entry(transfer('refused', available))).refusal).toBe('INSUFFICIENT_FUNDS');
    expect(tryEntry(state, { ...entry(transfer('fees', available)), kind: 'transfer' }).refusal).toBe('INSUFFICIENT_FUNDS');
  });

  it.each([
    ['moves nothing', transfer('chain', available, 0n)],
    ['moves less than nothing', transfer('chain', available, -1n)],
    ['stays where it is', transfer(available, available)],
    ['touches another account', transfer('chain', userAccount('b', 'available'))],
    ['goes nowhere', transfer('chain', 'a/pocket')],
    ['goes to a longer nowhere', transfer('chain', `${available}/x`)],
    ['goes to what cannot be a system account', transfer(available, 'Treasury')],
  ])('breaks an invariant when it %s', (_name, bad) => {
    expect(() => tryEntry(createSpeculation(funded('a', 'b')), entry(bad))).toThrow(InvariantError);
  });

  it.each([
    ['held money', transfer(held, 'settlement')],
    ['an uncleared deposit', transfer(userAccount('a', 'incoming'), available)],
    ['money on its way out', transfer(available, userAccount('a', 'outgoing'))],
  ])('of a platform service breaks an invariant when it moves %s', (_name, bad) => {
    expect(() => tryEntry(createSpeculation(funded('a')), { ...entry(bad), kind: 'transfer' })).toThrow(InvariantError);
  });

  it('survives being written and read', () => {
    const written: Entry = { ...entry(transfer('chain', available)), booked: [15n], data: { b: '1\n', a: '"' } };
    expect(encodeEntry(written)).not.toContain('\n');
    expect(decodeEntry(encodeEntry(written))).toEqual(written);
    expect(() => decodeEntry(encodeEntry({ ...written, kind: 'gift' as never }))).toThrow();
  });
});

describe('refusals', () => {
  /** Accounts a (active, 10 EURe), b (blocked), c (provisioning), d (closed); z was never opened. */
  const draftOf = () => {
    const state = funded('a', 'b', 'd');
    const draft = createDraft(1, AT, createSpeculation(state));
    for (const intent of [accountOpened('c'), accountBlocked('b', '1'), accountClosed('d', () => 0n)]) {
      expect(judge(draft, intent, () => undefined).kind).toBe('created');
    }
    return draft;
  };
  const between = (...legs: readonly [debit: string, credit: string, amount?: bigint][]) =>
    transferOrdered({
      id: 'e',
      accountId: legs.flat().find((name): name is string => typeof name === 'string' && name.length === 1) ?? '',
      transfers: legs.map(([debit, credit, amount = 99n]) => {
        const name = (side: string) => (side.length === 1 ? userAccount(side, 'available') : side);
        return { debit: name(debit), credit: name(credit), token: 'EURe', amount };
      }),
    });
  const holdUntil = (accountId: string, expiresAt: Date, amount = 99n) =>
    holdOrdered({ id: 'h', accountId, token: 'EURe', parts: [{ credit: 'settlement', amount }], expiresAt });

  // Each row has everything that the rows below it have, so that only precedence decides (EntryResultCode).
  it.each([
    ['ACCOUNT_NOT_FOUND', between(['b', 'z'], ['c', 'd'], ['a', 'fees'])],
    ['ACCOUNT_CLOSED', between(['b', 'd'], ['c', 'fees'], ['a', 'fees'])],
    ['ACCOUNT_NOT_ACTIVE', between(['b', 'fees'], ['c', 'fees'], ['a', 'fees'])],
    ['ACCOUNT_BLOCKED', between(['a', 'fees'], ['b', 'fees'])],
    ['INSUFFICIENT_FUNDS', between(['a', 'fees'])],
    ['ACCOUNT_NOT_FOUND', holdUntil('z', AT)],
    ['ACCOUNT_CLOSED', holdUntil('d', AT)],
    ['ACCOUNT_NOT_ACTIVE', holdUntil('c', AT)],
    ['ACCOUNT_BLOCKED', holdUntil('b', AT)],
    ['HOLD_EXPIRED', holdUntil('a', AT)],
    ['INSUFFICIENT_FUNDS', holdUntil('a', new Date(AT.getTime() + 1))],
  ])('come in the documented order: %s', (code, intent) => {
    expect(judge(draftOf(), intent, () => undefined)).toEqual({ kind: 'refused', code });
  });

  it('come after what the journal knows already', () => {
    const intent = between(['b', 'z']);
    const known = (inputHash: string) => (): KnownEntry => ({ n: 7, kind: 'transfer', inputHash });
    expect(judge(draftOf(), intent, known(intent.inputHash()))).toMatchObject({ kind: 'exists', n: 7, same: true });
    expect(judge(draftOf(), intent, known('other'))).toMatchObject({ kind: 'exists', n: 7, same: false });
  });

  it('stop what spends a token of a halted chain, and nothing else', () => {
    const haltedDraft = () => ({ ...draftOf(), halted: new Map([['EURe', 'CHAIN_HALTED'] as const]) });
    const draft = haltedDraft();
    const codeOf = (intent: Intent) => {
      const verdict = judge(draft, intent, () => undefined);
      return verdict.kind === 'refused' ? verdict.code : verdict.kind;
    };
    expect(codeOf(between(['a', 'fees', 1n]))).toBe('CHAIN_HALTED');
    expect(codeOf(holdUntil('a', AT))).toBe('CHAIN_HALTED');
    expect(codeOf(between(['b', 'fees']))).toBe('ACCOUNT_BLOCKED');
    // Incoming transfers, and forced ones.
    expect(codeOf(between(['settlement', 'a', 1n]))).toBe('created');
    const forced = transferOrdered({
      id: 'f',
      accountId: 'a',
      transfers: [{ debit: userAccount('a', 'available'), credit: 'settlement', token: 'EURe', amount: 1n }],
      forced: true,
    });
    expect(codeOf(forced)).toBe('created');
    // A repeat is told what happened before.
    const intent = between(['a', 'fees', 1n]);
    const known = (): KnownEntry => ({ n: 7, kind: 'transfer', inputHash: intent.inputHash() });
    expect(judge(haltedDraft(), intent, known)).toMatchObject({ kind: 'exists', same: true });
  });

  it('stop what spends a token that is blocked, for all accounts or for one', () => {
    const codeOf = (halted: HaltedTokens, intent: Intent) => {
      const verdict = judge({ ...draftOf(), halted }, intent, () => undefined);
      return verdict.kind === 'refused' ? verdict.code : verdict.kind;
    };
    const blocked = (...keys: string[]) => new Map(keys.map((key) => [key, 'TOKEN_BLOCKED' as const]));
    expect(codeOf(blocked('EURe'), between(['a', 'fees', 1n]))).toBe('TOKEN_BLOCKED');
    expect(codeOf(blocked('EURe/a'), between(['a', 'fees', 1n]))).toBe('TOKEN_BLOCKED');
    expect(codeOf(blocked('EURe/a'), between(['settlement', 'a', 1n]))).toBe('created');
    expect(codeOf(blocked('EURe/b', 'GBPe', 'GBPe/a'), between(['a', 'fees', 1n]))).toBe('created');
    expect(codeOf(new Map([...blocked('EURe/a'), ['EURe', 'CHAIN_HALTED']]), between(['a', 'fees', 1n]))).toBe('CHAIN_HALTED');
  });

  it('credit blocked and provisioning accounts all the same', () => {
    expect(judge(draftOf(), between(['a', 'b', 1n], ['a', 'c', 1n]), () => undefined).kind).toBe('created');
  });

  it('leave an ended hold ended: its end has one id', () => {
    const draft = draftOf();
    expect(judge(draft, holdUntil('a', new Date(AT.getTime() + 1), 5n), () => undefined).kind).toBe('created');
    const post = holdPosted({ accountId: 'a', holdId: 'h' }, { share: { amount: 2n } });
    expect(judge(draft, post, () => undefined)).toMatchObject({ kind: 'created', entry: { id: holdEndId('h'), booked: [8n] } });
    expect(judge(draft, holdPosted({ accountId: 'a', holdId: 'h' }, { share: { amount: 3n } }), () => undefined)).toMatchObject({
      kind: 'exists',
      same: false,
    });
    expect(judge(draft, post, () => undefined)).toMatchObject({ kind: 'exists', same: true });
  });
});
