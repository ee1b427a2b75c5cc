import type { ErrorCode } from '@florin/rpc/errors';
import { admit, type CollectionLimits, type HaltedTokens } from './admit-entry.ts';
import { applyEntry, type Move, movesOf } from './apply-entry.ts';
import type { Entry, EntryKind, KnownEntry, Proposal } from './entry.ts';
import { knownEntry } from './known-entry.ts';
import { settleDebt } from './settle-debt.ts';
import type { Speculation, StateReader } from './shard-state.ts';
import type { SystemAccounts } from './system-accounts.ts';

/** An entry that a caller wants in the journal, with what would exclude it. */
export type Intent = {
  /** Id of the entry. */
  id: string;
  /** The id under which earlier releases have written the same entry, and the hash that they kept of the same request. */
  former?: { id: string; inputHash: string } | undefined;
  /** Hash of what the caller asks for; computed when it is needed, if it does not stand in the proposal. */
  inputHash: () => string;
  /** Accounts that must be in memory to judge it; all in one shard. */
  accounts: readonly string[];
  /** The entry, or a code when the accounts' state does not allow it. Called when its turn has come. */
  propose: (state: StateReader, at: Date) => Proposal | ErrorCode;
  /** The transfers of its proposal with their sides read, when they are known beforehand. */
  moves?: readonly Move[] | undefined;
  /** Refuses the entry when another one is in the journal. */
  excludedBy?: { id: string; code: ErrorCode };
  /** Rules of the system accounts that it may name. Default: the built-in ones. */
  systemAccounts?: SystemAccounts | undefined;
  /** Most that its account may have held and settling. Default: any amount. */
  limits?: CollectionLimits | undefined;
};

/** An intent whose entry does not depend on the state. */
export const intentOf = (proposal: Proposal, accounts: readonly string[] = [proposal.accountId]): Intent => ({
  id: proposal.id,
  inputHash: () => proposal.inputHash,
  accounts,
  propose: () => proposal,
});

/** The decision on an intent, in the order in which the checks are made. */
export type Verdict =
  /** In the journal already, in block n. `same` tells whether it was the same request. */
  | { kind: 'exists'; n: number; same: boolean; was: EntryKind }
  | { kind: 'refused'; code: ErrorCode }
  /** Entry `index` of the drafted block. */
  | { kind: 'created'; index: number; entry: Entry };

/** A block in the making. Nothing has happened before it is written and its speculation merged. */
export type Draft = {
  n: number;
  at: Date;
  state: Speculation;
  entries: Entry[];
  /** Its entries by id. */
  known: Map<string, Entry>;
  halted: HaltedTokens;
};

/** @param halted tokens that cannot be spent */
export const createDraft = (n: number, at: Date, state: Speculation, halted: HaltedTokens = new Map()): Draft => ({
  n,
  at,
  state,
  entries: [],
  known: new Map(),
  halted,
});

const findKnown = ({ n, known: own }: Draft, id: string, known: (id: string) => KnownEntry | undefined): KnownEntry | undefined => {
  const drafted = own.get(id);
  return drafted === undefined ? known(id) : knownEntry(n, drafted);
};

/**
 * Judges an intent against the state that the draft's entries leave behind, and adds it when it passes.
 * @param known what the journal has under an id
 */
export const judge = (draft: Draft, intent: Intent, known: (id: string) => KnownEntry | undefined): Verdict => {
  const existing = findKnown(draft, intent.id, known);
  if (existing !== undefined) {
    return { kind: 'exists', n: existing.n, same: existing.inputHash === intent.inputHash(), was: existing.kind };
  }
  const former = intent.former && findKnown(draft, intent.former.id, known);
  if (former !== undefined) return { kind: 'exists', n: former.n, same: former.inputHash === intent.former?.inputHash, was: former.kind };
  if (intent.excludedBy !== undefined && findKnown(draft, intent.excludedBy.id, known) !== undefined)
    return { kind: 'refused', code: intent.excludedBy.code };
  const ordered = intent.propose(draft.state, draft.at);
  if (typeof ordered === 'string') return { kind: 'refused', code: ordered };
  const asOrdered = intent.moves ?? movesOf(ordered);
  const transfers = settleDebt(draft.state, ordered, asOrdered);
  const isAsOrdered = transfers === ordered.transfers;
  // The entry no longer shows the original order, so it keeps the input's hash.
  const proposal = isAsOrdered ? ordered : { ...ordered, transfers, inputHash: intent.inputHash() };
  const moves = isAsOrdered ? asOrdered : movesOf(proposal);
  const refusal = admit(draft.state, proposal, moves, draft.at, intent.systemAccounts, draft.halted, intent.limits);
  if (refusal !== undefined) return { kind: 'refused', code: refusal };
  const { id, kind, accountId, inputHash, data } = proposal;
  const entry: Entry = { id, kind, accountId, inputHash, transfers, data, booked: applyEntry(draft.state, proposal, moves) };
  draft.known.set(id, entry);
  return { kind: 'created', index: draft.entries.push(entry) - 1, entry };
};
