import { expect } from 'vitest';
import { balanceOf, balancesOf } from '../domain/account-state.ts';
import { assertSound, decodeAccounts, encodeAccounts } from '../domain/balance-page.ts';
import { type Block, encodeEntries, entriesOf, GENESIS, sealBlock, type Tail, tailOf } from '../domain/block.ts';
import { createDraft, judge } from '../domain/draft-block.ts';
import type { Entry, KnownEntry } from '../domain/entry.ts';
import { knownEntry } from '../domain/known-entry.ts';
import { applyChange, keyOfChange, type Movement, movementChange, movementKey } from '../domain/movement.ts';
import { createSpeculation, createWholeState, type WholeState } from '../domain/shard-state.ts';
import { readBlock, replayEntries } from '../journal/chain.ts';
import { ACCOUNTS, type Command, createClock } from './commands.ts';
import { intentOfCommand } from './intents.ts';
import type { createModel } from './model.ts';
import { viewOf, viewOfSystems, wordOf } from './view.ts';

const SHARD = '0';

/** The real rules, driven the way a journal drives them: drafts, blocks, movements behind them, and a restart by replay. */
export const createDraftedLedger = () => {
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
    const block = sealBlock(tail, { shard: SHARD, epoch: 1, at, body: encodeEntries(draft.entries) });
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

export type DraftedLedger = ReturnType<typeof createDraftedLedger>;

export const checkInvariants = ({ state, blocks }: DraftedLedger): void => {
  const sums = new Map<string, bigint>();
  const add = (token: string, value: bigint) => sums.set(token, (sums.get(token) ?? 0n) + value);
  for (const [id, account] of state().accounts()) {
    assertSound(id, account);
    for (const [key, value] of balancesOf(account)) {
      const [token = '', bucket] = key.split('/');
      add(token, value);
      expect(bucket === 'debt' ? value <= 0n : value >= 0n).toBe(true);
      // Available money repays debt, in every state of the account.
      if (bucket === 'debt') expect(value === 0n || balanceOf(account, token, 'available') === 0n).toBe(true);
    }
  }
  for (const [key, value] of state().systems()) {
    add(key.split('/')[1] ?? '', value);
  }
  for (const sum of sums.values()) expect(sum).toBe(0n);
  const ids = blocks.flatMap((block) => entriesOf(block).map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
  const encoded = encodeAccounts(state().accounts());
  expect(encodeAccounts(decodeAccounts(encoded))).toBe(encoded);
};

export const expectAgreement = (ledger: DraftedLedger, model: ReturnType<typeof createModel>): void => {
  for (const account of ACCOUNTS) expect(viewOf(ledger.state().account(account))).toEqual(model.view(account));
  expect(viewOfSystems(ledger.state().systems())).toEqual(model.systems());
};
