import { AdjustmentService, type CreateAdjustmentRequest } from '@florin/proto/ledger/v1/adjustment_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { assertOwnName } from '@florin/rpc/actors';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { parseAmount } from '@florin/rpc/money';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { needsApproval } from '../adjusting/needs-approval.ts';
import type { Adjustment, AdjustmentChange, Moved } from '../domain/adjustment.ts';
import { accountsOfSides } from '../domain/approval-window.ts';
import { inputHash } from '../domain/input-hash.ts';
import { metadataText } from '../domain/metadata.ts';
import { currentMovement } from '../journal/current-movement.ts';
import type { Journal } from '../journal/journal.ts';
import { bookAdjustment, readTransfers, toWireAdjustment } from './adjustments.ts';
import type { Dependencies } from './dependencies.ts';
import { entryOwnerShape, operatorMetadataSchema, shardOfRequest } from './fields.ts';
import { findOriginal, reversalPartsOf } from './reversals.ts';

const transferSchema = z.object({ debit: z.string(), credit: z.string(), token: z.string(), amount: z.string() });

const changeSchema = z.discriminatedUnion(
  'case',
  [
    z.object({
      case: z.literal('transfers'),
      value: z.object({ transfers: z.array(transferSchema).min(1).max(100), forced: z.boolean(), shard: z.string().max(8) }),
    }),
    z.object({
      case: z.literal('reversal'),
      value: z.object({
        ...entryOwnerShape,
        entryId: z.string().min(1).max(256),
        parts: reversalPartsOf(z.string()),
        forced: z.boolean(),
      }),
    }),
    z.object({ case: z.literal('depositReversal'), value: z.object({ depositId: uuidSchema }) }),
  ],
  { error: 'must be transfers, reversal or depositReversal' },
);

const requestSchema = z.object({ adjustmentId: uuidSchema, change: changeSchema, metadata: operatorMetadataSchema });
type Parsed = z.output<typeof requestSchema>;

const toChange = ({ change }: Parsed): AdjustmentChange => {
  switch (change.case) {
    case 'transfers':
      return { kind: 'transfers', ...change.value };
    case 'reversal':
      return { kind: 'reversal', ...change.value, accountId: change.value.accountId ?? '' };
    case 'depositReversal':
      return { kind: 'deposit_reversal', ...change.value };
  }
};

/** Shard that it is booked in. @throws CodedError for what is wrong with it regardless of the accounts */
const shardOf = async (parts: Dependencies, change: AdjustmentChange, { adjustmentId: id, metadata }: Parsed): Promise<string> => {
  if (change.kind === 'transfers') return readTransfers(parts, { id, change, metadata }).shard;
  if (change.kind === 'reversal') {
    for (const { amount } of change.parts) parseAmount(amount);
    return shardOfRequest({ accountId: change.accountId === '' ? undefined : change.accountId, shard: change.shard }, parts.shards);
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
  serviceMethod(LEDGER_SCOPES.writeAdjustments, async (request: CreateAdjustmentRequest, call) => {
    const parsed = parseRequest(requestSchema, request);
    const { adjustmentId: id, metadata } = parsed;
    assertOwnName(call.caller, metadata.actor);
    const change = toChange(parsed);
    const shard = await shardOf(parts, change, parsed);
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
