import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type AdjustmentSchema, AdjustmentStatus } from '@florin/proto/ledger/v1/adjustment';
import { createWords } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import type { Adjustment } from '../domain/adjustment.ts';
import type { Intent } from '../domain/draft-block.ts';
import { decodeEntry } from '../domain/entry.ts';
import { readOrder } from '../domain/entry-order.ts';
import { inputHashOf } from '../domain/known-entry.ts';
import type { Journal } from '../journal/journal.ts';
import { orderRules } from './create-entries.ts';
import type { Dependencies } from './dependencies.ts';
import { findOriginal, reversalsOf, reverseInJournal } from './reversals.ts';
import { reverseDepositIn } from './reverse-deposit.ts';

const STATUSES = createWords(AdjustmentStatus);

/** The status that a number on the wire stands for; undefined for none. */
export const statusFrom = STATUSES.toWord;

const toWireChange = ({ change }: Adjustment): NonNullable<MessageInitShape<typeof AdjustmentSchema>['change']> => {
  switch (change.kind) {
    case 'transfers': {
      const { transfers, forced, shard } = change;
      return { case: 'transfers', value: { transfers: transfers.map((transfer) => ({ ...transfer })), forced, shard } };
    }
    case 'reversal': {
      const { accountId, entryId, parts, forced, shard } = change;
      return { case: 'reversal', value: { accountId, entryId, parts: parts.map((part) => ({ ...part })), forced, shard } };
    }
    case 'deposit_reversal':
      return { case: 'depositReversal', value: { depositId: change.depositId } };
  }
};

export const toWireAdjustment = (adjustment: Adjustment): MessageInitShape<typeof AdjustmentSchema> => {
  const { id, status, metadata, needsApproval, rejectedBy, rejectionReason = '', entryId, failureCode, createdAt, updatedAt } = adjustment;
  return {
    id,
    status: STATUSES.toValue(status),
    change: toWireChange(adjustment),
    metadata: { ...metadata, labels: { ...metadata.labels } },
    needsApproval,
    rejectedBy,
    rejectionReason,
    entryId,
    failureCode,
    createdAt: timestampFromDate(createdAt),
    updatedAt: timestampFromDate(updatedAt),
  };
};

/** The entry of a transfer adjustment. @throws CodedError for what is wrong with it regardless of the accounts */
export const readTransfers = (parts: Dependencies, { id, change, metadata }: Pick<Adjustment, 'id' | 'change' | 'metadata'>) => {
  if (change.kind !== 'transfers') throw new Error('not an adjustment by transfers');
  const { approvedBy, ...given } = metadata;
  const order = readOrder({ entryId: id, ...change, metadata: { ...given, approvedBy: '' } }, orderRules(parts));
  if (order === 'INVALID')
    throw new CodedError('VALIDATION_FAILED', { message: 'transfers: must be 1 to 100 between two ledger accounts each' });
  if (typeof order === 'string') throw new CodedError(order);
  const intent: Intent = {
    ...order.intent,
    propose: (state, at) => {
      const proposal = order.intent.propose(state, at);
      if (typeof proposal === 'string' || approvedBy === '') return proposal;
      return { ...proposal, data: { ...proposal.data, approvedBy } };
    },
  };
  return { shard: order.shard, intent };
};

const orderOf = (parts: Dependencies, adjustment: Adjustment) => {
  const { change, id, metadata } = adjustment;
  if (change.kind !== 'reversal') throw new Error('not an adjustment by reversal');
  const amounts = change.parts.map(({ transfer, amount }) => ({ transfer, amount: BigInt(amount) }));
  return { reversalId: id, parts: amounts, forced: change.forced, metadata, systemAccounts: parts.systemAccounts };
};

const findReversalOf = async ({ claims }: Dependencies, journal: Journal, depositId: string): Promise<string> => {
  const id = `deposit/${depositId}/reversed`;
  const accountId = await claims.accountOf('deposits', depositId);
  return (await journal.entry(id, accountId === undefined ? [] : [accountId])) === undefined ? `deposit/${depositId}/resolved` : id;
};

/** @returns the id of the entry @throws CodedError the journal's refusal */
const write = async (parts: Dependencies, journal: Journal, adjustment: Adjustment): Promise<string> => {
  const { change, metadata } = adjustment;
  switch (change.kind) {
    case 'transfers': {
      const { intent } = readTransfers(parts, adjustment);
      const [outcome] = await journal.append([intent]);
      if (outcome?.kind === 'refused') throw new CodedError(outcome.code);
      if (outcome?.kind === 'exists' && !outcome.same) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
      return intent.id;
    }
    case 'reversal': {
      const accountId = change.accountId === '' ? undefined : change.accountId;
      const { original } = await findOriginal(parts, journal, { accountId, entryId: change.entryId });
      return (await reverseInJournal(journal, original, orderOf(parts, adjustment))).entry.id;
    }
    case 'deposit_reversal': {
      const { entryId } = await reverseDepositIn(parts, journal, change.depositId, metadata);
      // Reversed before: by the entry that resolved it, or by a later one.
      return entryId ?? (await findReversalOf(parts, journal, change.depositId));
    }
  }
};

/** Id of the entry that an adjustment has in the journal, regardless of its record; undefined without one. */
const findWritten = async (parts: Dependencies, journal: Journal, adjustment: Adjustment): Promise<string | undefined> => {
  const { id, change } = adjustment;
  if (change.kind === 'transfers') {
    const { intent } = readTransfers(parts, adjustment);
    const row = await journal.entry(id, intent.accounts);
    // Other callers choose ids as well: an entry with other content is not this adjustment's.
    return row !== undefined && inputHashOf(decodeEntry(row.line)) === intent.inputHash() ? id : undefined;
  }
  if (change.kind === 'deposit_reversal') return undefined;
  return (await reversalsOf(journal, change.entryId, change.accountId === '' ? [] : [change.accountId])).find(
    ({ entry }) => entry.data['reversalId'] === id,
  )?.entry.id;
};

/** Faults of the platform, not of the adjustment: it may succeed later. */
const isTransient = ({ code }: CodedError): boolean => ['SERVICE_UNAVAILABLE', 'UPSTREAM_TIMEOUT', 'INTERNAL_ERROR'].includes(code);

/**
 * Books an approved adjustment and notes what became of it. May be repeated, and run twice at once: the entry has one id, so it is
 * written once. When two runs disagree, the journal decides: an adjustment with an entry is booked.
 * @throws CodedError SERVICE_UNAVAILABLE; then it stays approved
 */
export const bookAdjustment = async (parts: Dependencies, journal: Journal, adjustment: Adjustment): Promise<Adjustment> => {
  const { adjustments, runtime } = parts;
  const { id, status } = adjustment;
  const noteBooked = async (entryId: string): Promise<Adjustment> =>
    (await adjustments.move(id, ['approved', 'failed'], { status: 'booked', entryId, failureCode: '', updatedAt: runtime.now() })) ??
    (await adjustments.find(id)) ??
    adjustment;
  if (status === 'failed') {
    const entryId = await findWritten(parts, journal, adjustment);
    return entryId === undefined ? adjustment : noteBooked(entryId);
  }
  if (status !== 'approved') return adjustment;
  try {
    return await noteBooked(await write(parts, journal, adjustment));
  } catch (error) {
    if (!(error instanceof CodedError) || isTransient(error)) throw error;
    const failed = { status: 'failed', failureCode: error.code, updatedAt: runtime.now() } as const;
    return (await adjustments.move(id, ['approved'], failed)) ?? (await adjustments.find(id)) ?? adjustment;
  }
};

/** @throws CodedError ADJUSTMENT_NOT_FOUND */
export const requireAdjustment = (adjustment: Adjustment | undefined): Adjustment => {
  if (adjustment === undefined) throw new CodedError('ADJUSTMENT_NOT_FOUND');
  return adjustment;
};
