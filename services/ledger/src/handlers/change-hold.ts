import type { MessageInitShape } from '@bufbuild/protobuf';
import type { EntrySchema, NewTransfer } from '@florin/proto/ledger/v1/entry';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { requireToken } from '@florin/rpc/assets';
import type { ServiceCaller } from '@florin/rpc/auth';
import { CodedError, type ErrorCode } from '@florin/rpc/errors';
import { parseAmount } from '@florin/rpc/money';
import type { Intent } from '../domain/draft-block.ts';
import { decodeEntry, type EntryKind } from '../domain/entry.ts';
import { readParts } from '../domain/entry-order.ts';
import { type HoldKey, holdEndId, type Share } from '../domain/hold.ts';
import type { Journal } from '../journal/journal.ts';
import type { Dependencies } from './dependencies.ts';
import { toWireEntry } from './to-wire-entry.ts';

/** Why a hold that has ended cannot be changed. */
const endedBy = (kind: EntryKind | undefined): ErrorCode => (kind === 'hold.expired' ? 'HOLD_EXPIRED' : 'HOLD_ALREADY_RESOLVED');

/** The journal's entry under the id of a hold's end, and whether the account ever had the hold. */
export const endOfHold = async (journal: Journal, { accountId, holdId }: HoldKey) => {
  const [opened, ended] = await Promise.all([holdId, holdEndId(holdId)].map((id) => journal.entry(id, [accountId])));
  const created = opened && decodeEntry(opened.line);
  return { existed: created?.kind === 'hold.created' && created.accountId === accountId, ended: ended && decodeEntry(ended.line).kind };
};

/**
 * The share of a request: `amount` or `transfers`; undefined when both are empty.
 * @throws CodedError VALIDATION_FAILED, AMOUNT_INVALID, TOKEN_NOT_SUPPORTED, FORBIDDEN
 */
export const readShare = (
  { assets, systemAccounts }: Dependencies,
  caller: ServiceCaller,
  { accountId, amount, transfers }: { accountId: string; amount: string; transfers: readonly NewTransfer[] },
): Share | undefined => {
  if (transfers.length === 0) return amount === '' ? undefined : { amount: parseAmount(amount) };
  if (amount !== '') throw new CodedError('VALIDATION_FAILED', { message: 'amount: must be empty when transfers are given' });
  const share = readParts(accountId, transfers, systemAccounts);
  if (share === 'AMOUNT_INVALID') throw new CodedError(share);
  if (share === 'INVALID') {
    throw new CodedError('VALIDATION_FAILED', {
      message: 'transfers: must be 1 to 10, debit the account in one token, and credit system accounts or its settling money, each once',
    });
  }
  requireToken(assets, share.token);
  if (share.reserved && !caller.scopes.has(LEDGER_SCOPES.systemEntries)) {
    throw new CodedError('FORBIDDEN', { message: `scope ${LEDGER_SCOPES.systemEntries} is missing` });
  }
  return { token: share.token, parts: share.parts };
};

/** @throws CodedError VALIDATION_FAILED */
export const requireShare = (share: Share | undefined): Share => {
  if (share === undefined) throw new CodedError('VALIDATION_FAILED', { message: 'amount: is required, or transfers' });
  return share;
};

/**
 * Writes an entry about a hold; the journal decides which of several that race stands. Returns what stands under the entry's id when the
 * same was asked before.
 * @throws CodedError HOLD_NOT_FOUND, HOLD_ALREADY_RESOLVED, HOLD_EXPIRED, IDEMPOTENCY_KEY_REUSED, SERVICE_UNAVAILABLE, and the code of
 * a refusal
 */
export const changeHold = async (
  journal: Journal,
  key: HoldKey,
  intent: Intent,
): Promise<{ entry: MessageInitShape<typeof EntrySchema> }> => {
  const [outcome] = await journal.append([intent]);
  if (outcome?.kind === 'refused') {
    if (outcome.code !== 'HOLD_NOT_FOUND') throw new CodedError(outcome.code);
    const { existed, ended } = await endOfHold(journal, key);
    throw new CodedError(existed ? endedBy(ended) : 'HOLD_NOT_FOUND');
  }
  const find = async (id: string | undefined) => (id === undefined ? undefined : journal.entry(id, [key.accountId]));
  const entry = (await find(intent.id)) ?? (await find(intent.former?.id));
  if (entry === undefined) throw new CodedError('INTERNAL_ERROR', { message: 'an entry of the journal was not found' });
  // The hold of another account does not exist for this one.
  if (decodeEntry(entry.line).accountId !== key.accountId) throw new CodedError('HOLD_NOT_FOUND');
  if (outcome?.kind === 'exists' && !outcome.same) {
    throw new CodedError(intent.id === holdEndId(key.holdId) ? endedBy(outcome.was) : 'IDEMPOTENCY_KEY_REUSED');
  }
  return { entry: toWireEntry(entry, journal.shard) };
};
