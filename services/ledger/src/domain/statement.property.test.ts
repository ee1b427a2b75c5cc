import { DEFAULT_ASSETS, findToken, type Token } from '@florin/rpc/assets';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accountActivated, accountOpened } from './account-change.ts';
import { balanceOf, bookedBalance } from './account-state.ts';
import { touchedBy } from './apply-entry.ts';
import { encodeEntries, GENESIS, linesOf, sealBlock, tailOf } from './block.ts';
import { depositIdOf, depositResolved, depositSeen } from './deposit.ts';
import { createDraft, type Intent, judge } from './draft-block.ts';
import { holdExpired, holdOrdered, holdVoided } from './hold.ts';
import { holdPosted } from './hold-posting.ts';
import { userAccount } from './ledger-account.ts';
import { applyChange, type Movement, movementChange } from './movement.ts';
import { positionOf } from './position.ts';
import { type EntryRow, isBooked } from './projection.ts';
import { createSpeculation, createWholeState } from './shard-state.ts';
import { decodePlace, encodePlace, statementLines } from './statement.ts';
import { transferOrdered } from './transfer-order.ts';
import { withdrawalCreated, withdrawalReported } from './withdrawal.ts';

const ACCOUNTS = ['01890a5d-ac96-774b-bcce-b302099a8001', '01890a5d-ac96-774b-bcce-b302099a8002'] as const;
const TOKENS = ['EURe', 'USDC.e'] as const;
const uuid = (n: number): string => `01890a5d-ac96-774b-bcce-${n.toString(16).padStart(12, '0')}`;
const txHash = `0x${'ab'.repeat(32)}`;

const token = (symbol: string): Token => findToken(DEFAULT_ASSETS, symbol) ?? expect.fail('no such token');

/** A journal in memory: puts intents into blocks, and keeps the rows of the projection. */
const createJournal = () => {
  const state = createWholeState();
  const rows: (EntryRow & { accounts: string[] })[] = [];
  const movements = new Map<string, Movement>();
  let tail = GENESIS;
  const append = (intents: readonly Intent[]): void => {
    const speculation = createSpeculation(state);
    const draft = createDraft(tail.n + 1, new Date(tail.n * 1000), speculation);
    for (const intent of intents) judge(draft, intent, () => undefined);
    if (draft.entries.length === 0) return;
    const block = sealBlock(tail, { shard: '0', epoch: 1, at: draft.at, body: encodeEntries(draft.entries) });
    state.merge(speculation);
    draft.entries.forEach((entry, index) => {
      const row = { position: positionOf(block.n, index), at: block.at, booked: isBooked(entry), line: linesOf(block)[index] ?? '' };
      rows.push({ ...row, accounts: touchedBy(entry.transfers).map(({ accountId }) => accountId) });
    });
    draft.entries.forEach((entry, index) => {
      const change = movementChange(entry, { n: block.n, index, at: block.at });
      if (change === undefined) return;
      const id = change.kind === 'created' ? change.movement.id : change.update.id;
      const after = applyChange(movements.get(id), change);
      if (after !== undefined) movements.set(id, after);
    });
    tail = tailOf(block);
  };
  append(ACCOUNTS.flatMap((id) => [accountOpened(id), accountActivated(id)]));
  return { state, rows, movements, append };
};

type Step =
  | { do: 'deposit' | 'withdraw' | 'hold' | 'move'; account: 0 | 1; token: 0 | 1; amount: bigint; end: number }
  | { do: 'mixed'; account: 0 | 1; amount: bigint; other: bigint };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constantFrom('deposit', 'deposit', 'withdraw', 'hold', 'move'),
    account: fc.constantFrom(0, 1),
    token: fc.constantFrom(0, 1),
    amount: fc.bigInt({ min: 1n, max: 10n ** 21n }),
    end: fc.nat({ max: 3 }),
  }) as fc.Arbitrary<Step>,
  fc.record({
    do: fc.constant('mixed'),
    account: fc.constantFrom(0, 1),
    amount: fc.bigInt({ min: 1n, max: 10n ** 20n }),
    other: fc.bigInt({ min: 1n, max: 10n ** 20n }),
  }) as fc.Arbitrary<Step>,
);

/** Something to spend. */
const FUNDS: readonly Step[] = ([0, 1] as const).flatMap((account) =>
  ([0, 1] as const).map((index): Step => ({ do: 'deposit', account, token: index, amount: 10n ** 21n, end: 2 })),
);

const play = (steps: readonly Step[]) => {
  const journal = createJournal();
  const { append, movements } = journal;
  steps.forEach((one, index) => {
    const id = uuid(index);
    const accountId = ACCOUNTS[one.account];
    const friend = ACCOUNTS[1 - one.account] ?? '';
    const own = (bucket: 'available') => userAccount(accountId, bucket);
    if (one.do === 'mixed') {
      // Two tokens, there and back, and a fee: two lines for the one, two for the other.
      const transfers = [
        { debit: own('available'), credit: userAccount(friend, 'available'), token: 'EURe', amount: one.amount },
        { debit: userAccount(friend, 'available'), credit: own('available'), token: 'USDC.e', amount: one.other },
        { debit: own('available'), credit: 'fees', token: 'EURe', amount: 1n },
        { debit: 'settlement', credit: own('available'), token: 'EURe', amount: one.other },
      ];
      append([transferOrdered({ id, accountId, transfers })]);
      return;
    }
    const symbol = TOKENS[one.token];
    const { amount, end } = one;
    if (one.do === 'deposit') {
      const event = { chainId: 100, txHash, logIndex: index };
      append([depositSeen(event, accountId, token(symbol), amount)]);
      const deposit = movements.get(depositIdOf(event));
      if (deposit !== undefined && end > 0) append([depositResolved(deposit, end === 1 ? 'rejected' : 'approved', undefined)]);
    } else if (one.do === 'withdraw') {
      append([withdrawalCreated({ id, accountId, token: token(symbol), amount, txHash })]);
      const withdrawal = movements.get(id);
      if (withdrawal !== undefined && end > 0) append([withdrawalReported(withdrawal, end === 1 ? 'failed' : 'completed')]);
    } else if (one.do === 'hold') {
      const hold = { accountId, holdId: id };
      append([holdOrdered({ id, accountId, token: symbol, parts: [{ credit: 'settlement', amount }], expiresAt: new Date(8.64e14) })]);
      const ends = [
        [holdVoided(hold)],
        [holdPosted(hold)],
        [holdPosted(hold, { share: { amount: amount / 2n + 1n } })],
        [holdExpired(hold)],
      ];
      append(ends[end] ?? []);
    } else {
      append([
        transferOrdered({
          id,
          accountId,
          transfers: [{ debit: own('available'), credit: userAccount(friend, 'available'), token: symbol, amount }],
        }),
      ]);
    }
  });
  return journal;
};

describe('statement', () => {
  it('chains: each balance is that of the older line of the token plus the amount, up to the balance there is', () => {
    let lines = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 40 }), (steps) => {
        const { rows, state } = play([...FUNDS, ...steps]);
        for (const accountId of ACCOUNTS) {
          const shown = rows
            .filter(({ booked, accounts }) => booked && accounts.includes(accountId))
            .flatMap((row) => statementLines(row, accountId, DEFAULT_ASSETS));
          lines += shown.length;
          expect(new Set(shown.map(({ id }) => id)).size).toBe(shown.length);
          for (const symbol of TOKENS) {
            let balance = 0n;
            for (const line of shown.filter((one) => one.token === symbol)) {
              expect(line.balanceAfter).toBe(balance + line.amount);
              expect(line).toMatchObject({ decimals: token(symbol).decimals, currency: token(symbol).currency });
              balance = line.balanceAfter;
            }
            const account = state.account(accountId);
            if (account !== undefined) expect(bookedBalance(account, symbol)).toBe(balance);
            if (account !== undefined) expect(balanceOf(account, symbol, 'available') <= balance).toBe(true);
          }
        }
      }),
    );
    expect(lines).toBeGreaterThan(1000);
  });

  it('names what a line comes from', () => {
    const { rows } = play([
      { do: 'deposit', account: 0, token: 0, amount: 100n, end: 2 },
      { do: 'hold', account: 0, token: 0, amount: 10n, end: 1 },
      { do: 'withdraw', account: 0, token: 0, amount: 5n, end: 2 },
      { do: 'move', account: 0, token: 0, amount: 2n, end: 0 },
    ]);
    const shown = rows.filter(({ booked }) => booked).flatMap((row) => statementLines(row, ACCOUNTS[0], DEFAULT_ASSETS));
    expect(shown.map(({ kind, reference, txHash: hash, amount, balanceAfter }) => [kind, reference, hash, amount, balanceAfter])).toEqual([
      ['deposit', depositIdOf({ chainId: 100, txHash, logIndex: 0 }), txHash, 100n, 100n],
      ['card_payment', uuid(1), undefined, -10n, 90n],
      ['withdrawal', uuid(2), txHash, -5n, 85n],
      ['transfer', uuid(3), undefined, -2n, 83n],
    ]);
  });
});

describe('places', () => {
  it('lead back', () => {
    fc.assert(
      fc.property(fc.nat({ max: Number.MAX_SAFE_INTEGER }), fc.nat({ max: 99 }), (position, line) => {
        expect(decodePlace(encodePlace({ position, line }))).toEqual({ position, line });
      }),
    );
  });

  it.each(['', '.', 'x', 'MA', 'MA.', 'MA.-1', 'MA.01', 'MA.1.1', 'MA.x', '.1', '%.1'])('rejects %j', (cursor) => {
    expect(decodePlace(cursor)).toBeUndefined();
  });
});
