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
import { type BalanceDifference, inLedgerOf, unbookedOf, unseenOf } from '../domain/balance-difference.ts';
import type { WatchException } from '../domain/exception.ts';
import type { SafeTransfer } from '../domain/transfer.ts';
import type { WatchStatus } from '../watching/chain-watch.ts';

const STATE = { watching: WatchState.WATCHING, waiting: WatchState.WAITING, halted: WatchState.HALTED } as const;
const KIND = {
  refused: ExceptionKind.REFUSED,
  left: ExceptionKind.LEFT,
  vanished: ExceptionKind.VANISHED,
  changed: ExceptionKind.CHANGED,
  rejected: ExceptionKind.REJECTED,
} as const;
const STATUS = { open: ExceptionStatus.OPEN, retrying: ExceptionStatus.RETRYING, closed: ExceptionStatus.CLOSED } as const;
const DIRECTION = { in: TransferDirection.IN, out: TransferDirection.OUT } as const;

export const toWireWatch = (status: WatchStatus): MessageInitShape<typeof ChainWatchSchema> => {
  const { chainId, state, problem, cursor, finalized, nodes, succeededAt } = status;
  return {
    chainId,
    state: STATE[state],
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
    direction: DIRECTION[direction],
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
    kind: KIND[kind],
    status: STATUS[status],
    code,
    booked,
    accountId,
    chainId,
    blockNumber: BigInt(blockNumber),
    txHash,
    logIndex,
    direction: kind === 'changed' ? TransferDirection.UNSPECIFIED : DIRECTION[direction],
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
