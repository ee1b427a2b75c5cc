import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  type ChainWatchSchema,
  ExceptionKind,
  ExceptionStatus,
  TransferDirection,
  type WatchExceptionSchema,
  WatchState,
} from '@florin/proto/chain/v1/watch';
import type { WatchException } from '../domain/exception.ts';
import type { WatchStatus } from '../watching/chain-watch.ts';

const STATE = { watching: WatchState.WATCHING, waiting: WatchState.WAITING, halted: WatchState.HALTED } as const;
const KIND = { refused: ExceptionKind.REFUSED, left: ExceptionKind.LEFT } as const;
const STATUS = { open: ExceptionStatus.OPEN, closed: ExceptionStatus.CLOSED } as const;
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

export const toWireException = (exception: WatchException): MessageInitShape<typeof WatchExceptionSchema> => {
  const { id, kind, status, code = '', transfer, createdAt, closedBy = '', note = '' } = exception;
  const { accountId, chainId, blockNumber, txHash, logIndex, direction, counterparty, token, amount } = transfer;
  return {
    id,
    kind: KIND[kind],
    status: STATUS[status],
    code,
    accountId,
    chainId,
    blockNumber: BigInt(blockNumber),
    txHash,
    logIndex,
    direction: DIRECTION[direction],
    counterparty,
    token,
    amount: amount.toString(),
    createdAt: timestampFromDate(createdAt),
    closedBy,
    note,
  };
};
