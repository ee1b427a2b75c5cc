import { AdjustmentService, type CreateAdjustmentRequest } from '@florin/proto/ledger/v1/adjustment_service';
import { assertOwnName } from '@florin/rpc/actors';
import { CodedError } from '@florin/rpc/errors';
import { parseAmount } from '@florin/rpc/money';
import { serviceMethod } from '@florin/rpc/server';
import type { Adjustment, AdjustmentChange, Moved } from '../domain/adjustment.ts';
import { type ApprovalRules, accountsOfSides, type Counted, countedFor, countIn } from '../domain/approval-window.ts';
import { inputHash } from '../domain/input-hash.ts';
import { metadataText } from '../domain/metadata.ts';
import { currentMovement } from '../journal/current-movement.ts';
import type { Journal } from '../journal/journal.ts';
import type { ApprovalWindowStore } from '../store/approval-windows.ts';
import { bookAdjustment, readTransfers, toWireAdjustment } from './adjustments.ts';
import type { Dependencies } from './dependencies.ts';
import { readOperatorMetadata, shardOfRequest } from './fields.ts';
import { findOriginal, readParts } from './reversals.ts';

/**
 * Reports whether an order needs a second person's approval. One that does not is counted for its actor and its accounts, so that what is split into small
 * orders adds up. Exact under concurrency: each count is one conditional write. An order that loses a race for one of its counts needs approval, and
 * what it was counted for until then stays counted: totals may be too high, never too low.
 */
const needsApproval = async (
  windows: ApprovalWindowStore,
  rules: ApprovalRules,
  { id, actor, at, moved }: { id: string; actor: string; at: Date; moved: readonly Moved[] },
): Promise<boolean> => {
  const orders = [...countedFor(actor, moved)].map(([key, amounts]): [string, Counted] => [key, { id, at, amounts }]);
  for (const [key, order] of orders) if (countIn(await windows.find(key), order, rules) === undefined) return true;
  const expiresAt = new Date(at.getTime() + rules.windowMs);
  for (const [key, order] of orders) if (!(await windows.count(key, expiresAt, (counted) => countIn(counted, order, rules)))) return true;
  return false;
};

const toChange = ({ change }: CreateAdjustmentRequest): AdjustmentChange => {
  switch (change.case) {
    case 'transfers': {
      const { transfers, forced, shard } = change.value;
      return {
        kind: 'transfers',
        transfers: transfers.map(({ debit, credit, token, amount }) => ({ debit, credit, token, amount })),
        forced,
        shard,
      };
    }
    case 'reversal': {
      const { accountId, shard, entryId, parts, forced } = change.value;
      return { kind: 'reversal', accountId, shard, entryId, parts: readParts('reversal.parts', parts), forced };
    }
    case 'depositReversal':
      return { kind: 'deposit_reversal', depositId: change.value.depositId };
    default:
      throw new Error('an adjustment without a change');
  }
};

/** Shard that it is booked in. @throws CodedError for what is wrong with it regardless of the accounts */
const shardOf = async (
  parts: Dependencies,
  change: AdjustmentChange,
  { id, metadata }: Pick<Adjustment, 'id' | 'metadata'>,
): Promise<string> => {
  if (change.kind === 'transfers') return readTransfers(parts, { id, change, metadata }).shard;
  if (change.kind === 'reversal') {
    for (const { amount } of change.parts) parseAmount(amount);
    return shardOfRequest(change, parts.shards);
  }
  const accountId = await parts.claims.accountOf('deposits', change.depositId);
  if (accountId === undefined) throw new CodedError('DEPOSIT_NOT_FOUND');
  return parts.shards.shardOf(accountId);
};

/** The amounts that it moves, for the limits. @throws CodedError ENTRY_NOT_FOUND, DEPOSIT_NOT_FOUND */
const movedBy = async (parts: Dependencies, journal: Journal, change: AdjustmentChange): Promise<Moved[]> => {
  if (change.kind === 'deposit_reversal') {
    const deposit = await currentMovement(parts.movements, journal, 'deposits', change.depositId);
    if (deposit === undefined) throw new CodedError('DEPOSIT_NOT_FOUND');
    return [{ token: deposit.token, amount: BigInt(deposit.amount), accounts: [deposit.accountId] }];
  }
  if (change.kind === 'transfers') {
    return change.transfers.map(({ debit, credit, token, amount }) => ({
      token,
      amount: BigInt(amount),
      accounts: accountsOfSides([debit, credit]),
    }));
  }
  const accountId = change.accountId === '' ? undefined : change.accountId;
  const { original } = await findOriginal(parts, journal, { accountId, entryId: change.entryId });
  const whole = original.transfers.map(({ amount }, transfer) => ({ transfer, amount: amount.toString() }));
  return (change.parts.length === 0 ? whole : change.parts).map(({ transfer, amount }) => {
    const { token = '', debit = '', credit = '' } = original.transfers[transfer] ?? {};
    return { token, amount: BigInt(amount), accounts: accountsOfSides([debit, credit]) };
  });
};

/** Orders an adjustment, and books it unless it needs approval. */
export const createAdjustment = (parts: Dependencies) =>
  serviceMethod(async (request: CreateAdjustmentRequest, call) => {
    const { adjustmentId: id } = request;
    const metadata = readOperatorMetadata(request.metadata);
    assertOwnName(call.caller, metadata.actor);
    const change = toChange(request);
    const shard = await shardOf(parts, change, { id, metadata });
    const ordered = inputHash(JSON.stringify(change), metadataText(metadata));
    const order = async (journal: Journal): Promise<Adjustment> => {
      const now = parts.runtime.now();
      const { actor } = metadata;
      const moved = await movedBy(parts, journal, change);
      const waits = await needsApproval(parts.approvalWindows, parts.approval, { id, actor, at: now, moved });
      return parts.adjustments.create({
        id,
        inputHash: ordered,
        shard,
        status: waits ? 'pending' : 'approved',
        change,
        metadata,
        needsApproval: waits,
        rejectedBy: '',
        entryId: '',
        failureCode: '',
        createdAt: now,
        updatedAt: now,
      });
    };
    return parts.shards.atShard(shard, { rpc: AdjustmentService.method.createAdjustment, request, call }, async (journal) => {
      const stored = (await parts.adjustments.find(id)) ?? (await order(journal));
      if (stored.inputHash !== ordered) throw new CodedError('IDEMPOTENCY_KEY_REUSED');
      return { adjustment: toWireAdjustment(await bookAdjustment(parts, journal, stored)) };
    });
  });
