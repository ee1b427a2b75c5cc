import { DEFAULT_ASSETS } from '@florin/rpc/assets';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBlock, replayEntries } from '../journal/chain.ts';
import { ACCOUNTS, type Command, command, createClock, isAlone, OPENING } from '../testing/commands.ts';
import { intentOfCommand } from '../testing/intents.ts';
import { createModel } from '../testing/model.ts';
import { viewOf, viewOfSystems, wordOf } from '../testing/view.ts';
import { accountActivated, accountBlocked, accountClosed, accountOpened } from './account-change.ts';
import { accountState, balanceOf, balancesOf } from './account-state.ts';
import { admit } from './admit-entry.ts';
import { applyEntry, InvariantError, movesOf } from './apply-entry.ts';
import { assertSound, decodeAccounts, encodeAccounts } from './balance-page.ts';
import { type Block, encodeEntries, GENESIS, hashBlock, sealBlock, type Tail, tailOf } from './block.ts';
import { depositIdOf, depositSeen } from './deposit.ts';
import { createDraft, judge } from './draft-block.ts';
import { decodeEntry, type Entry, encodeEntry, type KnownEntry, type Proposal } from './entry.ts';
import { holdEndId, holdOrdered } from './hold.ts';
import { holdPosted } from './hold-posting.ts';
import { knownEntry } from './known-entry.ts';
import { userAccount } from './ledger-account.ts';
import { applyChange, keyOfChange, type Movement, movementChange, movementKey } from './movement.ts';
import { createSpeculation, createWholeState, type Speculation, type WholeState } from './shard-state.ts';
import { transferOrdered } from './transfer-order.ts';

const SHARD = '0';

/** The real rules, driven the way a journal drives them: drafts, blocks, movements behind them, and a restart by replay. */
const createLedger = () => {
  const clock = createClock();
  let state = createWholeState();
  let tail: Tail = GENESIS;
  const blocks: Block[] = [];
  const known = new Map<string, KnownEntry>();
  const entries = new Map<string, Entry>();
  const movements = new Map<string, Movement>();

  const ask = (batch: readonly Command[]): string[] => {
    for (const c of batch) if (c.do === 'wait') clock.wait(c.steps);
    const at = new Date(Math.max(clock.now().getTime(), tail.at.getTime()));
    const draft = createDraft(tail.n + 1, at, createSpeculation(state));
    const intents = batch.map((c) =>
      intentOfCommand(c, {
        movement: (id) => movements.get(movementKey('deposits', id)) ?? movements.get(movementKey('withdrawals', id)),
        entry: (id) => entries.get(id),
      }),
    );
    const words = intents.map((intent = 'absent') =>
      typeof intent === 'string' ? intent : wordOf(judge(draft, intent, (id) => known.get(id))),
    );
    if (draft.entries.length === 0) return words;
    const block = sealBlock(tail, { shard: SHARD, epoch: 1, at, lines: encodeEntries(draft.entries) });
    state.merge(draft.state);
    tail = tailOf(block);
    blocks.push(block);
    draft.entries.forEach((entry, index) => {
      known.set(entry.id, knownEntry(block.n, entry));
      entries.set(entry.id, entry);
      const change = movementChange(entry, { n: block.n, index, at });
      const after = change && applyChange(movements.get(keyOfChange(change)), change);
      if (change !== undefined && after !== undefined) movements.set(keyOfChange(change), after);
    });
    return words;
  };

  /** Reads everything from the blocks again: hash chain, rules and booked balances are checked on the way. */
  const restart = (): void => {
    const fresh = createWholeState();
    let end: Tail = GENESIS;
    for (const block of blocks) {
      fresh.merge(replayEntries(fresh, block, readBlock(end, block)));
      end = tailOf(block);
    }
    expect(end).toEqual(tail);
    expect(encodeAccounts(fresh.accounts())).toBe(encodeAccounts(state.accounts()));
    state = fresh;
  };
  return { ask, restart, state: (): WholeState => state, blocks };
};

type Ledger = ReturnType<typeof createLedger>;

const checkInvariants = ({ state, blocks }: Ledger): void => {
  const sums = new Map<string, bigint>();
  const add = (token: string, value: bigint) => sums.set(token, (sums.get(token) ?? 0n) + value);
  for (const [id, account] of state().accounts()) {
    assertSound(id, account);
    for (const [key, value] of balancesOf(account)) {
      const [token = '', bucket] = key.split('/');
      add(token, value);
      expect(bucket === 'debt' ? value <= 0n : value >= 0n).toBe(true);
      // What is available repays what is owed, in every state of the account.
      if (bucket === 'debt') expect(value === 0n || balanceOf(account, token, 'available') === 0n).toBe(true);
    }
  }
  for (const [key, value] of state().systems()) {
    add(key.split('/')[1] ?? '', value);
  }
  for (const sum of sums.values()) expect(sum).toBe(0n);
  const ids = blocks.flatMap(({ lines }) => lines.map((line) => decodeEntry(line).id));
  expect(new Set(ids).size).toBe(ids.length);
  const encoded = encodeAccounts(state().accounts());
  expect(encodeAccounts(decodeAccounts(encoded))).toBe(encoded);
};

const expectAgreement = (ledger: Ledger, model: ReturnType<typeof createModel>): void => {
  for (const account of ACCOUNTS) expect(viewOf(ledger.state().account(account))).toEqual(model.view(account));
  expect(viewOfSystems(ledger.state().systems())).toEqual(model.systems());
};

/** A long way through commands; some are earlier ones again, some come after a restart. */
const walk = fc.array(fc.record({ command, restart: fc.boolean(), again: fc.option(fc.nat(200), { freq: 4 }) }), {
  minLength: 10,
  maxLength: 100,
  size: 'max',
});

/** Corners that a random walk seldom finds. */
const parts = (amount: number, credit: 'fees' | 'settlement' | 'settling' = 'settlement') => [{ credit, amount }];
const holdOf = (id: number, amount: number, until: number, credit: 'fees' | 'settlement' = 'settlement'): Command => ({
  do: 'hold',
  id,
  account: 'a',
  token: 0,
  parts: parts(amount, credit),
  until,
  forced: false,
});
const postOf = (id: number, amount: number | undefined, more: Partial<Extract<Command, { do: 'post' }>> = {}): Command => ({
  do: 'post',
  id,
  account: 'a',
  token: 0,
  posting: undefined,
  parts: amount === undefined ? undefined : parts(amount),
  keepOpen: false,
  forced: false,
  ...more,
});
const reverseOf = (more: Partial<Extract<Command, { do: 'reverse' }>>): Command => ({
  do: 'reverse',
  id: 0,
  posting: undefined,
  reversal: 0,
  part: undefined,
  forced: true,
  ...more,
});
const increaseOf = (amount: number, more: Partial<Extract<Command, { do: 'increase' }>> = {}): Command => ({
  do: 'increase',
  id: 4,
  account: 'a',
  token: 0,
  change: 0,
  parts: parts(amount),
  until: undefined,
  forced: false,
  ...more,
});
const decreaseOf = (amount: number, more: Partial<Extract<Command, { do: 'decrease' }>> = {}): Command => ({
  do: 'decrease',
  id: 4,
  account: 'a',
  change: 2,
  amount,
  ...more,
});
const CORNERS: readonly Command[] = [
  { do: 'open', account: 'c' },
  { ...holdOf(1, 5, 9, 'fees'), account: 'c' } as Command,
  holdOf(1, 5, 2, 'fees'),
  ...[1, 1].map((id) => postOf(id, undefined)),
  holdOf(2, 5, 1),
  { do: 'wait', steps: 2 },
  postOf(2, 5),
  { do: 'void', id: 2, account: 'a' },
  ...(['expire', 'expire', 'void'] as const).map((end): Command => ({ do: end, id: 2, account: 'a' })),
  ...[increaseOf(99), increaseOf(1), increaseOf(1), increaseOf(2), increaseOf(1, { change: 1, until: 1 })],
  ...[decreaseOf(99), decreaseOf(1), decreaseOf(1), decreaseOf(2)],
  holdOf(0, 5, 3),
  { do: 'wait', steps: 1 },
  ...[increaseOf(1, { id: 0 }), decreaseOf(1, { id: 0 })],
  { do: 'extend', id: 0, account: 'a', change: 0, until: 9 },
  holdOf(3, 5, 12),
  { do: 'expire', id: 3, account: 'a' },
  { do: 'extend', id: 3, account: 'a', change: 3, until: 3 },
  ...[12, 12, 11].map((until): Command => ({ do: 'extend', id: 3, account: 'a', change: 3, until })),
  { do: 'increase', id: 3, account: 'a', token: 1, change: 0, parts: parts(1), until: undefined, forced: false },
  // The same clearing twice under two ids, more than was held, and after the end.
  postOf(3, 4, { posting: 0, keepOpen: true }),
  postOf(3, 4, { posting: 0, keepOpen: true }),
  postOf(3, 4, { posting: 1, keepOpen: true }),
  postOf(3, 4, { posting: 1, keepOpen: true, forced: true }),
  postOf(3, 4, { posting: 1, keepOpen: true }),
  ...(['void', 'void', 'expire'] as const).map((end): Command => ({ do: end, id: 3, account: 'a' })),
  postOf(3, 4, { posting: 2, forced: true }),
  reverseOf({ id: 3, posting: 2, part: { transfer: 0, amount: 1 } }),
  reverseOf({ id: 3, posting: 2, part: { transfer: 0, amount: 1 } }),
  reverseOf({ id: 3, posting: 2, part: { transfer: 0, amount: 2 } }),
  reverseOf({ id: 3, posting: 2, reversal: 1, part: { transfer: 0, amount: 4 } }),
  reverseOf({ id: 3, posting: 2, reversal: 1 }),
  reverseOf({ id: 3, posting: 2, reversal: 2 }),
  reverseOf({ id: 3 }),
  { do: 'transfer', id: 5, forced: false, legs: [{ debit: 'a', credit: 'b', token: 0, amount: 3 }] },
  { do: 'transfer', id: 6, forced: false, legs: [{ debit: 'b', credit: 'settlement', token: 0, amount: 3 }] },
  reverseOf({ id: 5, forced: false }),
  { do: 'withdraw', id: 0, account: 'a', token: 0, amount: 1, forced: false },
  ...(['completed', 'completed', 'processing', 'failed'] as const).map((target): Command => ({ do: 'report', id: 0, target })),
  { do: 'block', account: 'b', change: 0 },
  ...[0, 0].map((change): Command => ({ do: 'unblock', account: 'b', change })),
  { do: 'block', account: 'c', change: 0 },
  { do: 'close', account: 'c' },
  { do: 'block', account: 'c', change: 0 },
  { do: 'unblock', account: 'c', change: 0 },
  { do: 'see', id: 4, account: 'c', token: 0, amount: 1 },
  { do: 'transfer', id: 3, forced: false, legs: [{ debit: 'a', credit: 'c', token: 0, amount: 1 }] },
  // What happened outside is booked on a closed account as well, and is owed.
  { do: 'transfer', id: 4, forced: true, legs: [{ debit: 'c', credit: 'settlement', token: 0, amount: 7 }] },
];

type Step = { command: Command; restart: boolean; again: number | null };

/** Lets ledger and model walk side by side; notes what was answered to what. */
const walkAlong = (steps: readonly Step[], reached: Set<string>): void => {
  const [model, ledger] = [createModel(), createLedger()];
  const asked: Command[] = [];
  const step = (c: Command): void => {
    const [answer] = ledger.ask([c]);
    expect([c, answer]).toEqual([c, model.apply(c)]);
    reached.add(`${c.do} ${answer}`);
    asked.push(c);
    expectAgreement(ledger, model);
  };
  OPENING.forEach(step);
  for (const { command: next, restart, again } of steps) {
    if (restart) ledger.restart();
    step(again === null ? next : (asked[again % asked.length] ?? next));
  }
  ledger.restart();
  expectAgreement(ledger, model);
  checkInvariants(ledger);
};

const explore = (parameters: fc.Parameters<[Step[]]>): Set<string> => {
  const reached = new Set<string>();
  fc.assert(
    fc.property(walk, (steps) => walkAlong(steps, reached)),
    parameters,
  );
  return reached;
};

describe('the rules of the ledger', () => {
  it('agree with a simple model on any requests, with repeats, contradictions and restarts', () => {
    explore({ numRuns: 100 });
  });

  it('are explored to their ends: walks that never come to an answer prove nothing about it', () => {
    const ends: Record<string, string[]> = {
      transfer: ['created', 'same', 'other', 'ACCOUNT_NOT_FOUND', 'ACCOUNT_BLOCKED', 'ACCOUNT_CLOSED', 'INSUFFICIENT_FUNDS'],
      hold: ['created', 'same', 'other', 'ACCOUNT_NOT_ACTIVE', 'ACCOUNT_BLOCKED', 'HOLD_EXPIRED', 'INSUFFICIENT_FUNDS'],
      increase: [
        'created',
        'same',
        'other',
        'HOLD_NOT_FOUND',
        'HOLD_EXPIRED',
        'TOKEN_MISMATCH',
        'HOLD_EXPIRY_INVALID',
        'INSUFFICIENT_FUNDS',
      ],
      decrease: ['created', 'same', 'other', 'HOLD_NOT_FOUND', 'HOLD_EXPIRED', 'AMOUNT_INVALID'],
      extend: ['created', 'same', 'other', 'HOLD_NOT_FOUND', 'HOLD_EXPIRED', 'HOLD_EXPIRY_INVALID'],
      post: ['created', 'same', 'other', 'HOLD_NOT_FOUND', 'HOLD_EXPIRED', 'AMOUNT_INVALID', 'TOKEN_MISMATCH'],
      reverse: [
        'created',
        'same',
        'other',
        'absent',
        'ENTRY_NOT_REVERSIBLE',
        'ENTRY_ALREADY_REVERSED',
        'REVERSAL_EXCEEDS_ENTRY',
        'INSUFFICIENT_FUNDS',
      ],
      unsee: ['created', 'same'],
      void: ['created', 'same', 'other', 'HOLD_NOT_FOUND', 'HOLD_EXPIRED'],
      expire: ['created', 'same', 'other', 'HOLD_NOT_FOUND', 'HOLD_EXPIRY_INVALID'],
      see: ['created', 'same', 'other', 'ACCOUNT_NOT_FOUND', 'ACCOUNT_CLOSED'],
      resolve: ['created', 'same', 'other'],
      withdraw: ['created', 'same', 'other', 'ACCOUNT_BLOCKED', 'INSUFFICIENT_FUNDS'],
      report: ['created', 'same', 'other', 'WITHDRAWAL_STATE_CONFLICT'],
      close: ['created', 'same', 'ACCOUNT_NOT_EMPTY'],
      block: ['created', 'same', 'ACCOUNT_STATE_CONFLICT', 'ACCOUNT_CLOSED'],
      unblock: ['created', 'same', 'ACCOUNT_STATE_CONFLICT', 'ACCOUNT_CLOSED'],
    };
    const reached = explore({ numRuns: 150, seed: 7 });
    walkAlong(
      CORNERS.map((c) => ({ command: c, restart: false, again: null })),
      reached,
    );
    const missed = Object.entries(ends).flatMap(([verb, answers]) =>
      answers.map((answer) => `${verb} ${answer}`).filter((one) => !reached.has(one)),
    );
    expect(missed).toEqual([]);
  });

  it('judge a batch as they judge its requests one by one', () => {
    // Requests that need a movement to be known first are left out: a batch knows only what was there before it; and time stands still.
    const independent = command.filter((c) => !isAlone(c));
    fc.assert(
      fc.property(fc.array(command, { maxLength: 30 }), fc.array(independent, { maxLength: 30 }), (before, batch) => {
        const [one, many] = [createLedger(), createLedger()];
        for (const c of [...OPENING, ...before]) expect(many.ask([c])).toEqual(one.ask([c]));
        expect(many.ask(batch)).toEqual(batch.flatMap((c) => one.ask([c])));
        expect(encodeAccounts(many.state().accounts())).toBe(encodeAccounts(one.state().accounts()));
        expect(viewOfSystems(many.state().systems())).toEqual(viewOfSystems(one.state().systems()));
        many.restart();
        checkInvariants(many);
      }),
      { numRuns: 300 },
    );
  });
});

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
    for (const intent of [accountOpened('c'), accountBlocked('b', '1'), accountClosed('d')]) {
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
    expect(judge(draftOf(), intent, known(intent.inputHash))).toMatchObject({ kind: 'exists', n: 7, same: true });
    expect(judge(draftOf(), intent, known('other'))).toMatchObject({ kind: 'exists', n: 7, same: false });
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

describe('a balance page', () => {
  const holds = new Map([['h', { token: 'EURe', parts: [{ credit: 'fees', amount: 5n }], expiresAt: 1 }]]);
  const sound = accountState('active', [['EURe/held', 5n]], holds);
  it.each([
    ['held money without a hold', { ...sound, holds: new Map() }],
    ['a hold without held money', { ...sound, keys: [], amounts: [] }],
    ['a status that there is not', { ...sound, status: 'frozen' as never }],
  ])('with %s is refused', (_name, account) => {
    expect(() => decodeAccounts(encodeAccounts([['a', account]]))).toThrow(InvariantError);
  });
});

describe('a block', () => {
  it('has another hash when anything in it is another', () => {
    const [token] = DEFAULT_ASSETS.tokens;
    if (token === undefined) throw new Error('no token');
    const proposal = depositSeen({ chainId: 100, txHash: '0x1', logIndex: 0 }, 'a', token, 5n).propose(createWholeState(), AT);
    if (typeof proposal === 'string') throw new Error(proposal);
    const one: Entry = { ...proposal, booked: [0n] };
    const blockOf = (...entries: Entry[]) => sealBlock(GENESIS, { shard: '0', epoch: 1, at: new Date(0), lines: encodeEntries(entries) });
    const base = blockOf(one);
    const [transfer] = one.transfers;
    if (transfer === undefined) throw new Error('no transfer');
    const variants: Block[] = [
      { ...base, shard: '1' },
      { ...base, n: 2 },
      { ...base, epoch: 2 },
      { ...base, prevHash: base.hash },
      { ...base, at: new Date(1) },
      blockOf(),
      blockOf(one, one),
      blockOf({ ...one, id: 'y' }),
      blockOf({ ...one, kind: 'deposit.approved' }),
      blockOf({ ...one, accountId: 'b' }),
      blockOf({ ...one, inputHash: 'y' }),
      blockOf({ ...one, booked: [1n] }),
      blockOf({ ...one, data: { ...one.data, more: '' } }),
      blockOf({ ...one, transfers: [{ ...transfer, amount: 6n }] }),
      blockOf({ ...one, transfers: [{ ...transfer, token: 'GBPe' }] }),
      blockOf({ ...one, transfers: [{ ...transfer, debit: transfer.credit, credit: transfer.debit }] }),
    ];
    expect(new Set([base, ...variants].map(hashBlock)).size).toBe(variants.length + 1);
    const reordered = { ...one, data: Object.fromEntries(Object.entries(one.data).reverse()) };
    expect(blockOf(reordered).hash).toBe(base.hash);
  });
});

const event = (number: number) => ({ chainId: 100, txHash: `0x${number}`, logIndex: 0 });

describe('ids of deposits', () => {
  it('are UUIDs of version 8, one per event', () => {
    const id = depositIdOf(event(1));
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(depositIdOf(event(1))).toBe(id);
    expect(depositIdOf({ ...event(1), logIndex: 1 })).not.toBe(id);
    expect(depositIdOf({ ...event(1), chainId: 1 })).not.toBe(id);
    expect(depositIdOf(event(2))).not.toBe(id);
  });
});
