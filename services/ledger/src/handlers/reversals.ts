import type { ReversalPart } from '@florin/proto/ledger/v1/entry';
import { requireFields } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import { accountsOf } from '../domain/apply-entry.ts';
import { decodeEntry, type Entry } from '../domain/entry.ts';
import { parseLedgerAccount } from '../domain/ledger-account.ts';
import { blockOf } from '../domain/position.ts';
import { MAX_REVERSALS, planReversal, type ReversalOrder, reversalEntryId } from '../domain/reversal.ts';
import type { Journal } from '../journal/journal.ts';
import type { Dependencies } from './dependencies.ts';

/** Parts of a reversal, each transfer at most once. @throws CodedError VALIDATION_FAILED */
export const readParts = (field: string, parts: readonly ReversalPart[]): { transfer: number; amount: string }[] => {
  const isRepeated = new Set(parts.map(({ transfer }) => transfer)).size < parts.length;
  requireFields({ [field]: isRepeated ? 'must name each transfer once' : undefined });
  return parts.map(({ transfer, amount }) => ({ transfer, amount }));
};

/** Times that a reversal is planned anew because another one of the same entry was faster. */
const MAX_ATTEMPTS = 10;

export type PlacedEntry = { entry: Entry; n: number; at: Date };

const readEntry = async (journal: Journal, id: string, accounts: readonly string[]): Promise<PlacedEntry | undefined> => {
  const row = await journal.entry(id, accounts);
  return row && { entry: decodeEntry(row.line), n: blockOf(row.position), at: row.at };
};

/**
 * The entry to reverse, and whether that takes the scope for system entries.
 * @throws CodedError ENTRY_NOT_FOUND
 */
export const findOriginal = async (
  parts: Dependencies,
  journal: Journal,
  { accountId, entryId }: { accountId: string | undefined; entryId: string },
): Promise<{ original: Entry; reserved: boolean }> => {
  const found = await readEntry(journal, entryId, accountId === undefined ? [] : [accountId]);
  const accounts = found === undefined ? [] : accountsOf(found.entry);
  const isTheirs = accountId === undefined ? accounts.length === 0 : accounts.includes(accountId);
  if (found === undefined || !isTheirs) throw new CodedError('ENTRY_NOT_FOUND');
  const names = found.entry.transfers.flatMap(({ debit, credit }) => [debit, credit]);
  const reserved = names.some((name) => {
    const side = parseLedgerAccount(name);
    return side?.owner === 'system' && parts.systemAccounts.get(side.name)?.open !== true;
  });
  return { original: found.entry, reserved: reserved || accounts.length === 0 };
};

/** The reversals of an entry about these accounts, oldest first. Looked up one after the other: nearly all entries have none. */
export const reversalsOf = async (journal: Journal, entryId: string, accounts: readonly string[]): Promise<PlacedEntry[]> => {
  const found: PlacedEntry[] = [];
  while (found.length < MAX_REVERSALS) {
    const next = await readEntry(journal, reversalEntryId(entryId, found.length + 1), accounts);
    if (next === undefined) break;
    found.push(next);
  }
  return found;
};

/**
 * Writes a reversal as the entry's next one. Of two that race one takes the next number, and the other one is planned again on top of it.
 * @throws CodedError ENTRY_NOT_REVERSIBLE, ENTRY_ALREADY_REVERSED, REVERSAL_EXCEEDS_ENTRY, IDEMPOTENCY_KEY_REUSED, and the code of a refusal
 */
export const reverseInJournal = async (journal: Journal, original: Entry, order: ReversalOrder): Promise<PlacedEntry> => {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const reversals = await reversalsOf(journal, original.id, accountsOf(original));
    const plan = planReversal(
      original,
      reversals.map(({ entry }) => entry),
      order,
    );
    if (plan.kind === 'fault') throw new CodedError(plan.code);
    if (plan.kind === 'known') {
      const known = reversals.find(({ entry }) => entry === plan.entry);
      if (!plan.same || known === undefined) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
      return known;
    }
    const [outcome] = await journal.append([plan.intent]);
    if (outcome?.kind === 'created') return { entry: outcome.entry, n: outcome.place.n, at: outcome.place.at };
    if (outcome?.kind === 'refused') throw new CodedError(outcome.code);
  }
  throw new CodedError('SERVICE_UNAVAILABLE', { message: 'too many reversals of this entry at once' });
};
