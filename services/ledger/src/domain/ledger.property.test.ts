import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accountClosed } from './account-closing.ts';
import { DEFAULT_ASSETS, type Token } from './assets.ts';
import { type Block, chainProblem, GENESIS, hashBlock, sealBlock, type Tail } from './block.ts';
import { depositIdOf, depositResolved, depositSeen } from './deposit.ts';
import { draftBlock, type Intent, type Verdict } from './draft-block.ts';
import type { Entry, KnownEntry } from './entry.ts';
import { parseLedgerAccount, userAccount } from './ledger-account.ts';
import { applyEntry, createState, InvariantError } from './ledger-state.ts';
import { applyChange, type Movement, movementChanges } from './movement.ts';
import { type WithdrawalTarget, withdrawalCreated, withdrawalReported } from './withdrawal.ts';

const ACCOUNTS = ['a', 'b', 'c'];
const TOKENS = DEFAULT_ASSETS.tokens;

const tokenAt = (index: number): Token => TOKENS[index % TOKENS.length] ?? { symbol: '', decimals: 0, currency: '', chainId: 0 };
const accountAt = (index: number): string => ACCOUNTS[index % ACCOUNTS.length] ?? '';

/** What a caller may ask; small numbers, so that requests meet each other often. */
const command = fc.oneof(
  fc.record({
    do: fc.constant('see' as const),
    id: fc.nat(5),
    account: fc.nat(2),
    token: fc.nat(2),
    amount: fc.integer({ min: 1, max: 20 }),
  }),
  fc.record({ do: fc.constant('resolve' as const), id: fc.nat(5), approve: fc.boolean() }),
  fc.record({
    do: fc.constant('withdraw' as const),
    id: fc.nat(5),
    account: fc.nat(2),
    token: fc.nat(2),
    amount: fc.integer({ min: 1, max: 20 }),
  }),
  fc.record({
    do: fc.constant('report' as const),
    id: fc.nat(5),
    target: fc.constantFrom<WithdrawalTarget>('processing', 'completed', 'failed'),
  }),
  fc.record({ do: fc.constant('close' as const), account: fc.nat(2) }),
);
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

const event = (id: number) => ({ chainId: 100, txHash: `0x${id.toString(16).padStart(64, '0')}`, logIndex: 0 });

/** The simple model: one purse per account and token, one record per request, no blocks, no transfers. */
const createModel = () => {
  const purses = new Map<string, { available: bigint; incoming: bigint; outgoing: bigint }>();
  const deposits = new Map<number, { key: string; amount: bigint; content: string; outcome?: boolean }>();
  const withdrawals = new Map<number, { key: string; amount: bigint; content: string; reported: Set<string>; end?: string }>();
  const closed = new Set<string>();
  const purse = (key: string) => {
    const found = purses.get(key) ?? { available: 0n, incoming: 0n, outgoing: 0n };
    purses.set(key, found);
    return found;
  };
  const request = (c: { account: number; token: number; amount: number }) => {
    const owner = accountAt(c.account);
    return {
      owner,
      key: `${owner}/${tokenAt(c.token).symbol}`,
      amount: BigInt(c.amount),
      content: JSON.stringify([c.account, c.token, c.amount]),
    };
  };
  const repeat = (same: boolean) => (same ? 'same' : 'other');
  const apply = (c: Command): string => {
    switch (c.do) {
      case 'see': {
        const { owner, key, amount, content } = request(c);
        const existing = deposits.get(c.id);
        if (existing !== undefined) return repeat(existing.content === content);
        if (closed.has(owner)) return 'ACCOUNT_CLOSED';
        deposits.set(c.id, { key, amount, content });
        purse(key).incoming += amount;
        return 'created';
      }
      case 'resolve': {
        const deposit = deposits.get(c.id);
        if (deposit === undefined) return 'absent';
        if (deposit.outcome !== undefined) return repeat(deposit.outcome === c.approve);
        deposit.outcome = c.approve;
        purse(deposit.key).incoming -= deposit.amount;
        if (c.approve) purse(deposit.key).available += deposit.amount;
        return 'created';
      }
      case 'withdraw': {
        const { owner, key, amount, content } = request(c);
        const existing = withdrawals.get(c.id);
        if (existing !== undefined) return repeat(existing.content === content);
        if (closed.has(owner)) return 'ACCOUNT_CLOSED';
        if (purse(key).available < amount) return 'INSUFFICIENT_FUNDS';
        withdrawals.set(c.id, { key, amount, content, reported: new Set() });
        purse(key).available -= amount;
        purse(key).outgoing += amount;
        return 'created';
      }
      case 'report': {
        const withdrawal = withdrawals.get(c.id);
        if (withdrawal === undefined) return 'absent';
        if (c.target === 'processing') {
          if (withdrawal.reported.has(c.target)) return 'same';
          if (withdrawal.end !== undefined) return 'WITHDRAWAL_STATE_CONFLICT';
          withdrawal.reported.add(c.target);
          return 'created';
        }
        if (withdrawal.end !== undefined) return repeat(withdrawal.end === c.target);
        withdrawal.end = c.target;
        purse(withdrawal.key).outgoing -= withdrawal.amount;
        if (c.target === 'failed') purse(withdrawal.key).available += withdrawal.amount;
        return 'created';
      }
      case 'close': {
        const owner = accountAt(c.account);
        if (closed.has(owner)) return 'same';
        const empty = [...purses].every(
          ([key, p]) => !key.startsWith(`${owner}/`) || (p.available === 0n && p.incoming === 0n && p.outgoing === 0n),
        );
        if (!empty) return 'ACCOUNT_NOT_EMPTY';
        closed.add(owner);
        return 'created';
      }
    }
  };
  return { apply, purses };
};

/** The real rules, driven the way a journal drives them: batches, blocks, projections, and a restart by replay. */
const createLedger = () => {
  let state = createState();
  let tail: Tail = GENESIS;
  const blocks: Block[] = [];
  const known = new Map<string, KnownEntry>();
  const movements = new Map<string, Movement>();

  const intentOf = (c: Command): Intent | undefined => {
    switch (c.do) {
      case 'see':
        return depositSeen(event(c.id), accountAt(c.account), tokenAt(c.token), BigInt(c.amount));
      case 'resolve': {
        const deposit = movements.get(depositIdOf(event(c.id)));
        return deposit && depositResolved(deposit, c.approve ? 'approved' : 'rejected', undefined);
      }
      case 'withdraw': {
        const order = { id: `w${c.id}`, accountId: accountAt(c.account), token: tokenAt(c.token), amount: BigInt(c.amount), txHash: '0x' };
        return withdrawalCreated(order, undefined);
      }
      case 'report': {
        const withdrawal = movements.get(`w${c.id}`);
        return withdrawal && withdrawalReported(withdrawal, c.target);
      }
      case 'close':
        return accountClosed(accountAt(c.account));
    }
  };
  const word = (verdict: Verdict | undefined): string => {
    if (verdict === undefined) return 'absent';
    if (verdict.kind === 'refused') return verdict.code;
    return verdict.kind === 'created' ? 'created' : verdict.same ? 'same' : 'other';
  };
  const applyBatch = (batch: readonly Command[]): string[] => {
    const intents = batch.map(intentOf);
    const asked = intents.filter((intent) => intent !== undefined);
    const { entries, verdicts, layer } = draftBlock(state, asked, (id) => known.get(id), tail.n + 1);
    if (entries.length > 0) {
      const block = sealBlock(tail, { shard: '0', epoch: 1, at: new Date(0), entries });
      expect(chainProblem(tail, block)).toBeUndefined();
      layer.merge();
      tail = { n: block.n, hash: block.hash };
      blocks.push(block);
      for (const { id, inputHash } of entries) known.set(id, { n: block.n, inputHash });
      for (const change of movementChanges(block)) {
        const id = change.kind === 'created' ? change.movement.id : change.update.id;
        const after = applyChange(movements.get(id), change);
        if (after !== undefined) movements.set(id, after);
      }
    }
    const rest = verdicts[Symbol.iterator]();
    return intents.map((intent) => word(intent === undefined ? undefined : rest.next().value));
  };
  const restart = (): void => {
    state = createState();
    for (const block of blocks) for (const entry of block.entries) expect(applyEntry(state, entry)).toBeUndefined();
  };
  return { applyBatch, restart, state: () => state, blocks };
};

const checkInvariants = ({ state, blocks }: ReturnType<typeof createLedger>): void => {
  const sums = new Map<string, bigint>();
  for (const [name, balance] of state().balances()) {
    const account = parseLedgerAccount(name);
    expect(account).toBeDefined();
    if (account?.owner !== 'chain') expect(balance >= 0n).toBe(true);
    sums.set(account?.token ?? '', (sums.get(account?.token ?? '') ?? 0n) + balance);
  }
  for (const sum of sums.values()) expect(sum).toBe(0n);
  const ids = blocks.flatMap(({ entries }) => entries.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
};

describe('the rules of the ledger', () => {
  it('agree with a simple model, whatever is asked, repeated, contradicted, and restarted in between', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ command, restart: fc.boolean() }), { maxLength: 60 }), (steps) => {
        const [model, ledger] = [createModel(), createLedger()];
        for (const { command: c, restart } of steps) {
          if (restart) ledger.restart();
          expect(ledger.applyBatch([c])).toEqual([model.apply(c)]);
          checkInvariants(ledger);
        }
        for (const [key, purse] of model.purses) {
          const [owner = '', token = ''] = key.split('/');
          for (const bucket of ['available', 'incoming', 'outgoing'] as const) {
            expect(ledger.state().balance(userAccount(owner, token, bucket))).toBe(purse[bucket]);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('judge a batch as they judge its requests one by one', () => {
    // Requests that need a movement to be projected first are left out: a batch knows only what was there before it.
    const independent = command.filter((c) => c.do === 'see' || c.do === 'withdraw' || c.do === 'close');
    fc.assert(
      fc.property(fc.array(command, { maxLength: 30 }), fc.array(independent, { maxLength: 20 }), (before, batch) => {
        const [one, many] = [createLedger(), createLedger()];
        for (const c of before) expect(many.applyBatch([c])).toEqual(one.applyBatch([c]));
        expect(many.applyBatch(batch)).toEqual(batch.flatMap((c) => one.applyBatch([c])));
        expect(new Map(many.state().balances())).toEqual(new Map(one.state().balances()));
        checkInvariants(many);
      }),
      { numRuns: 200 },
    );
  });
});

describe('an entry', () => {
  const [available, held] = [userAccount('a', 'EURe', 'available'), userAccount('a', 'EURe', 'held')];
  const entry = (...transfers: Entry['transfers']): Entry => ({
    id: 'x',
    kind: 'deposit.seen',
    accountId: 'a',
    inputHash: '',
    transfers,
    data: {},
  });
  const transfer = (debit: string, credit: string, amount = 5n, token = 'EURe') => ({ debit, credit, token, amount });

  it('is refused as a whole when it overdraws in the middle, though not at the end', () => {
    const state = createState();
    expect(applyEntry(state, entry(transfer(available, held), transfer('chain/EURe', available)))).toBe('INSUFFICIENT_FUNDS');
    expect(applyEntry(state, entry(transfer('chain/EURe', available, 4n), transfer(available, held)))).toBe('INSUFFICIENT_FUNDS');
    expect([...state.balances()]).toEqual([]);
    expect(applyEntry(state, entry(transfer('chain/EURe', available), transfer(available, held)))).toBeUndefined();
    expect(state.balance(held)).toBe(5n);
  });

  it('cannot take what was refused by screening below zero', () => {
    expect(applyEntry(createState(), entry(transfer('refused/EURe', available)))).toBe('INSUFFICIENT_FUNDS');
  });

  it.each([
    ['moves nothing', transfer('chain/EURe', available, 0n)],
    ['moves less than nothing', transfer('chain/EURe', available, -1n)],
    ['stays where it is', transfer(available, available)],
    ['changes the token', transfer('chain/GBPe', available)],
    ['names another token', transfer('chain/EURe', available, 5n, 'GBPe')],
    ['touches somebody else', transfer('chain/EURe', userAccount('b', 'EURe', 'available'))],
    ['goes nowhere', transfer('chain/EURe', 'user/a/EURe/pocket')],
    ['goes to a longer nowhere', transfer('chain/EURe', `${available}/x`)],
  ])('breaks an invariant when it %s', (_name, bad) => {
    expect(() => applyEntry(createState(), entry(bad))).toThrow(InvariantError);
  });
});

describe('a block', () => {
  it('has another hash when anything in it is another', () => {
    const { entry } = depositSeen(event(1), 'a', tokenAt(0), 5n);
    const base = sealBlock(GENESIS, { shard: '0', epoch: 1, at: new Date(0), entries: [entry] });
    const [transfer] = entry.transfers;
    if (transfer === undefined) throw new Error('no transfer');
    const variants: Block[] = [
      { ...base, shard: '1' },
      { ...base, n: 2 },
      { ...base, epoch: 2 },
      { ...base, prevHash: base.hash },
      { ...base, at: new Date(1) },
      { ...base, entries: [] },
      { ...base, entries: [entry, entry] },
      { ...base, entries: [{ ...entry, id: 'y' }] },
      { ...base, entries: [{ ...entry, kind: 'deposit.approved' }] },
      { ...base, entries: [{ ...entry, accountId: 'b' }] },
      { ...base, entries: [{ ...entry, inputHash: 'y' }] },
      { ...base, entries: [{ ...entry, data: { ...entry.data, more: '' } }] },
      { ...base, entries: [{ ...entry, transfers: [{ ...transfer, amount: 6n }] }] },
      { ...base, entries: [{ ...entry, transfers: [{ ...transfer, token: 'GBPe' }] }] },
      { ...base, entries: [{ ...entry, transfers: [{ ...transfer, debit: transfer.credit, credit: transfer.debit }] }] },
    ];
    expect(new Set([base, ...variants].map(hashBlock)).size).toBe(variants.length + 1);
    const reordered = { ...entry, data: Object.fromEntries(Object.entries(entry.data).reverse()) };
    expect(hashBlock({ ...base, entries: [reordered] })).toBe(base.hash);
  });
});

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
