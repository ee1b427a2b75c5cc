import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  ExceptionProposal,
  type ExceptionSchema,
  ExceptionKind as WireKind,
  ExceptionStatus as WireStatus,
} from '@florin/proto/card/v1/exception';
import { createWords } from '@florin/rpc/contract';
import { type Exception, type ExceptionKind, type ExceptionStatus, PROPOSALS } from '../domain/exception.ts';
import { type Program, toTokenAmount } from '../domain/program.ts';
import type { Reported } from '../payments/suspense.ts';
import { toWirePayment } from './to-wire-payment.ts';

const KINDS = createWords(WireKind);
const STATUSES = createWords(WireStatus);
const WIRE_PROPOSALS = createWords(ExceptionProposal);

export const kindFromWire = (wire: WireKind): ExceptionKind | undefined => KINDS.toWord(wire);
export const statusFromWire = (wire: WireStatus): ExceptionStatus | undefined => STATUSES.toWord(wire);

/** An exception as callers see it. */
export const toWireException = (exception: Exception, program: Program): MessageInitShape<typeof ExceptionSchema> => {
  const { id, kind, status, createdAt, amount, processor, eventId, eventType, cardId, paymentId, accountId } = exception;
  const { transactionId, candidates = [], originalAmount, originalCurrency, suspended = 0n, resolution } = exception;
  return {
    id,
    kind: KINDS.toValue(kind),
    status: STATUSES.toValue(status),
    createdAt: timestampFromDate(createdAt),
    amount: amount?.toString() ?? '',
    currency: program.currency,
    proposal: WIRE_PROPOSALS.toValue(PROPOSALS[kind]),
    processor,
    eventId,
    eventType,
    transactionId: transactionId ?? '',
    cardId,
    paymentId: paymentId ?? '',
    candidatePaymentIds: [...candidates],
    accountId: accountId ?? '',
    originalAmount: originalAmount?.toString() ?? '',
    originalCurrency: originalCurrency ?? '',
    ...(suspended === 0n ? {} : { suspendedAmount: toTokenAmount(program, suspended).toString(), token: program.token.symbol }),
    resolvedBy: resolution?.by ?? '',
    note: resolution?.note ?? '',
    adjustmentId: resolution?.adjustmentId ?? '',
    ...(resolution === undefined ? {} : { resolvedAt: timestampFromDate(resolution.at) }),
  };
};

/** The answer to a report that books money. */
export const toWireReported = (reported: Reported, program: Program) =>
  'payment' in reported ? { payment: toWirePayment(reported.payment, program, true) } : { exceptionId: reported.exceptionId };
