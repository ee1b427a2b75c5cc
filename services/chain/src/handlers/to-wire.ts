import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { BalanceDifferenceSchema } from '@florin/proto/chain/v1/reconciliation_service';
import {
  type ChainWatchSchema,
  ExceptionKind,
  ExceptionStatus,
  type SafeTransferSchema,
  TransferDirection,
  type WatchExceptionSchema,
  WatchState,
} from '@florin/proto/chain/v1/watch';
import { createWords } from '@florin/rpc/contract';
import { type BalanceDifference, inLedgerOf, unbookedOf, unseenOf } from '../domain/balance-difference.ts';
import type { WatchException } from '../domain/exception.ts';
import type { SafeTransfer } from '../domain/transfer.ts';
import type { WatchStatus } from '../watching/chain-watch.ts';

const STATES = createWords(WatchState);
const KINDS = createWords(ExceptionKind);
export const STATUSES = createWords(ExceptionStatus);
const DIRECTIONS = createWords(TransferDirection);

export const toWireWatch = (status: WatchStatus): MessageInitShape<typeof ChainWatchSchema> => {
  const { chainId, state, problem, cursor, finalized, nodes, succeededAt } = status;
  return {
    chainId,
    state: STATES.toValue(state),
    problem,
    blockNumber: BigInt(cursor?.number ?? 0),
    blockHash: cursor?.hash ?? '',
    finalizedBlockNumber: BigInt(finalized),
    nodes,
    ...(succeededAt === undefined ? {} : { succeededAt: timestampFromDate(succeededAt) }),
  };
};

export const toWireSafeTransfer = (transfer: SafeTransfer): MessageInitShape<typeof SafeTransferSchema> => {
  const { accountId, blockNumber, txHash, logIndex, direction, counterparty, token, amount } = transfer;
  return {
    accountId,
    blockNumber: BigInt(blockNumber),
    txHash,
    logIndex,
    direction: DIRECTIONS.toValue(direction),
    counterparty,
    token,
    amount: amount.toString(),
  };
};

export const toWireException = (exception: WatchException): MessageInitShape<typeof WatchExceptionSchema> => {
  const { id, kind, status, code = '', booked = false, transfer, createdAt, closedBy = '', note = '', returnedBy = '' } = exception;
  const { accountId, chainId, blockNumber, txHash, logIndex, direction, counterparty, token, amount } = transfer;
  return {
    id,
    kind: KINDS.toValue(kind),
    status: STATUSES.toValue(status),
    code,
    booked,
    accountId,
    chainId,
    blockNumber: BigInt(blockNumber),
    txHash,
    logIndex,
    direction: kind === 'changed' ? TransferDirection.UNSPECIFIED : DIRECTIONS.toValue(direction),
    counterparty,
    token,
    amount: amount.toString(),
    createdAt: timestampFromDate(createdAt),
    closedBy,
    note,
    returnedBy,
  };
};

export const toWireDifference = (difference: BalanceDifference): MessageInitShape<typeof BalanceDifferenceSchema> => {
  const { accountId, chainId, token, blockNumber, onChain, refused, booked, elsewhere } = difference;
  return {
    accountId,
    chainId,
    token,
    blockNumber: BigInt(blockNumber),
    onChain: onChain.toString(),
    expected: (booked + refused).toString(),
    unseen: unseenOf(difference).toString(),
    unbooked: unbookedOf(difference).toString(),
    inLedger: inLedgerOf(difference).toString(),
    elsewhere: elsewhere.toString(),
    refused: refused.toString(),
  };
};
