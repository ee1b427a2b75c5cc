import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { ExceptionService } from '@florin/proto/card/v1/exception_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import type { RpcChannel } from '@florin/rpc/client';
import type { Amount } from '@florin/rpc/money';
import type { SettlementRecord } from '../domain/record.ts';
import type { Match } from '../store/matches.ts';

/** Scopes of the card service that are used. */
export const MATCHING_SCOPES = [CARD_SCOPES.matchSettlement] as const;

/** A hundred payments are read and claimed at once. */
const TIMEOUT_MS = 15_000;

/** Movements of one call: ImportRecords books as many at once. */
const MAX_MOVEMENTS = 500;

export type Clearing = SettlementRecord & { kind: 'clearing' };

/**
 * Asks the card service for the reports of clearings, at most 100. Safe to repeat.
 * @param raises tells for which an exception is raised if there is no report
 * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
 */
export type FindReports = (
  clearings: readonly Clearing[],
  raises: (index: number) => boolean,
) => Promise<Pick<Match, 'found' | 'exceptionId' | 'suspenseId'>[]>;

/** An item of a payment that is open since a time, or was. */
export type Unsettled = {
  paymentId: string;
  accountId: string;
  since: Date;
  currency: string;
  /** By how much the ledger has charged more than the network has settled, in the minor unit. Zero: no more. */
  amount: Amount;
};

/**
 * Has the card service raise exceptions for payments that the network has not settled as they were booked, at most 100, or resolve them. Safe to repeat.
 * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
 */
export type ReportUnsettled = (payments: readonly Unsettled[]) => Promise<void>;

/** A movement on the bank account, in the minor unit of its currency, above zero if it was received. Zero: it is explained. */
export type Unexplained = Pick<SettlementRecord, 'source' | 'id' | 'currency'> & { amount: Amount };

/**
 * Has the card service raise exceptions for movements that nothing explains, or resolve them, in their order. Safe to repeat.
 * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
 */
export type ReportUnexplained = (movements: readonly Unexplained[]) => Promise<void>;

export const createReportUnexplained = (channel: RpcChannel): ReportUnexplained => {
  const client = channel.client(ExceptionService);
  return async (movements) => {
    for (let at = 0; at < movements.length; at += MAX_MOVEMENTS) {
      const some = movements.slice(at, at + MAX_MOVEMENTS);
      const told = some.map(({ source, id: recordId, currency, amount }) => ({ source, recordId, currency, amount: String(amount) }));
      await client.reportUnexplained({ movements: told }, { timeoutMs: TIMEOUT_MS });
    }
  };
};

export const createReportUnsettled = (channel: RpcChannel): ReportUnsettled => {
  const client = channel.client(ExceptionService);
  return async (payments) => {
    const items = payments.map(({ since, amount, ...payment }) => ({
      ...payment,
      since: timestampFromDate(since),
      amount: String(amount),
    }));
    await client.reportUnsettled({ items }, { timeoutMs: TIMEOUT_MS });
  };
};

export const createFindReports = (channel: RpcChannel): FindReports => {
  const client = channel.client(ExceptionService);
  return async (clearings, raises) => {
    const items = clearings.map(({ id, source, eventId, transactionId, acquirerReference, amount, currency }, index) => ({
      ...{ recordId: id, processor: source, eventId, transactionId, acquirerReference, amount: String(amount), currency },
      raiseUnmatched: raises(index),
    }));
    const { matches } = await client.matchSettlement({ items }, { timeoutMs: TIMEOUT_MS });
    return matches.map(({ exceptionId, suspenseId, paymentId, accountId, billedAmount, billingCurrency }) => ({
      ...(paymentId === '' ? {} : { found: { paymentId, accountId, billedAmount, billingCurrency } }),
      ...(exceptionId === '' ? {} : { exceptionId }),
      ...(suspenseId === '' ? {} : { suspenseId }),
    }));
  };
};
