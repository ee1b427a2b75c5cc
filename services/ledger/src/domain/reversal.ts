import type { Amount } from '@florin/rpc/money';
import { accountsOf } from './apply-entry.ts';
import { type Intent, intentOf } from './draft-block.ts';
import type { Entry, EntryKind, Transfer } from './entry.ts';
import { inputHash } from './input-hash.ts';
import { parseLedgerAccount, userAccount } from './ledger-account.ts';
import { metadataText, NO_METADATA } from './metadata.ts';
import { intentRules, type OrderOptions, optionFacts } from './transfer-order.ts';

/** The amount of one transfer that a caller asks to take back. */
export type ReversalPart = { transfer: number; amount: Amount };

export type ReversalOrder = OrderOptions & {
  /** Caller-chosen UUID, unique among the reversals of the entry. */
  reversalId: string;
  /** Empty: everything that is left. */
  parts: readonly ReversalPart[];
};

/** Why an entry cannot be reversed as asked. */
export type ReversalFault = 'ENTRY_NOT_REVERSIBLE' | 'ENTRY_ALREADY_REVERSED' | 'REVERSAL_EXCEEDS_ENTRY';

const REVERSIBLE: ReadonlySet<EntryKind> = new Set(['transfer', 'hold.posted']);

/** Reversals of one entry. */
export const MAX_REVERSALS = 100;

/** Id of the k-th reversal of an entry, from 1: of two that race for it one takes the next. */
export const reversalEntryId = (entryId: string, k: number): string => `reversal/${entryId}/${k}`;

/** Where reversed money goes, or comes from: what left a user's held money or became debt returns to what is available. */
const openSide = (name: string): string => {
  const side = parseLedgerAccount(name);
  if (side?.owner !== 'user' || side.bucket === 'settling') return name;
  return userAccount(side.accountId, 'available');
};

/** Reports whether a transfer moved money between owners; the others return held money or repay debt, and follow by themselves. */
const isNamable = ({ debit, credit }: Transfer): boolean => openSide(debit) !== openSide(credit);

/** The amounts that the reversals of an entry have taken back so far, by transfer. */
const takenBack = (original: Entry, latest: Entry | undefined): Amount[] => {
  const amounts = latest?.data['reversed']?.split(',').map(BigInt) ?? [];
  return original.transfers.map((_transfer, index) => amounts[index] ?? 0n);
};

const reversalHash = ({ reversalId, parts, forced = false, metadata = NO_METADATA }: ReversalOrder): string =>
  inputHash(reversalId, parts.map(({ transfer, amount }) => `${transfer} ${amount}`).join(','), String(forced), metadataText(metadata));

/** How an entry is to be reversed: by an intent, not at all, or it was before by the same reversal id. */
export type ReversalPlan =
  | { kind: 'intent'; intent: Intent }
  | { kind: 'fault'; code: ReversalFault }
  /** `same` tells whether it was the same request. */
  | { kind: 'known'; entry: Entry; same: boolean };

/** The original's transfers in the opposite direction and order. */
const backwards = (original: Entry, amounts: ReadonlyMap<number, Amount>): Transfer[] =>
  original.transfers
    .map(({ debit, credit, token }, index) => ({
      debit: openSide(credit),
      credit: openSide(debit),
      token,
      amount: amounts.get(index) ?? 0n,
    }))
    .filter(({ amount }) => amount > 0n)
    .reverse();

/**
 * Plans to take an entry back, in whole or in part, as its next reversal.
 * @param reversals all reversals of the entry so far, oldest first; the last one states what has been taken back
 */
export const planReversal = (original: Entry, reversals: readonly Entry[], order: ReversalOrder): ReversalPlan => {
  const fault = (code: ReversalFault): ReversalPlan => ({ kind: 'fault', code });
  const inputHashOfOrder = reversalHash(order);
  const known = reversals.find(({ data }) => data['reversalId'] === order.reversalId);
  if (known !== undefined) return { kind: 'known', entry: known, same: known.inputHash === inputHashOfOrder };
  if (!REVERSIBLE.has(original.kind)) return fault('ENTRY_NOT_REVERSIBLE');
  const before = takenBack(original, reversals.at(-1));
  const left = original.transfers.map((transfer, index) => (isNamable(transfer) ? transfer.amount - (before[index] ?? 0n) : 0n));
  if (left.every((amount) => amount === 0n)) return fault('ENTRY_ALREADY_REVERSED');
  const wanted = order.parts.length === 0 ? left.map((amount, transfer) => ({ transfer, amount })) : order.parts;
  const k = reversals.length + 1;
  if (k > MAX_REVERSALS || wanted.some(({ transfer, amount }) => amount > (left[transfer] ?? 0n))) return fault('REVERSAL_EXCEEDS_ENTRY');
  const amounts = new Map(wanted.map(({ transfer, amount }) => [transfer, amount]));
  const proposal = {
    id: reversalEntryId(original.id, k),
    kind: 'reversal',
    accountId: original.accountId,
    inputHash: inputHashOfOrder,
    transfers: backwards(original, amounts),
    data: {
      reverses: original.id,
      reversalId: order.reversalId,
      reversed: before.map((amount, index) => amount + (amounts.get(index) ?? 0n)).join(','),
      ...(original.data['holdId'] === undefined ? {} : { holdId: original.data['holdId'] }),
      ...optionFacts(order),
    },
  } as const;
  return { kind: 'intent', intent: { ...intentOf(proposal, accountsOf(proposal)), ...intentRules(order) } };
};
