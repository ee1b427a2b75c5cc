import { ExceptionService } from '@florin/proto/card/v1/exception_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import type { RpcChannel } from '@florin/rpc/client';
import type { SettlementRecord } from '../domain/record.ts';
import type { Match } from '../store/matches.ts';

/** Scopes of the card service that are used. */
export const MATCHING_SCOPES = [CARD_SCOPES.matchSettlement] as const;

/** A hundred payments are read and claimed at once. */
const TIMEOUT_MS = 15_000;

export type Clearing = SettlementRecord & { kind: 'clearing' };

/**
 * Asks the card service for the reports of clearings, at most 100. Safe to repeat.
 * @param raises tells for which an exception is raised if there is no report
 * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
 */
export type FindReports = (
  clearings: readonly Clearing[],
  raises: (index: number) => boolean,
) => Promise<Pick<Match, 'found' | 'exceptionId'>[]>;

export const createFindReports = (channel: RpcChannel): FindReports => {
  const client = channel.client(ExceptionService);
  return async (clearings, raises) => {
    const items = clearings.map(({ id, source, eventId, transactionId, acquirerReference, amount, currency }, index) => ({
      ...{ recordId: id, processor: source, eventId, transactionId, acquirerReference, amount: String(amount), currency },
      raiseUnmatched: raises(index),
    }));
    const { matches } = await client.matchSettlement({ items }, { timeoutMs: TIMEOUT_MS });
    return matches.map(({ exceptionId, paymentId, accountId, billedAmount, billingCurrency }) => ({
      ...(paymentId === '' ? {} : { found: { paymentId, accountId, billedAmount, billingCurrency } }),
      ...(exceptionId === '' ? {} : { exceptionId }),
    }));
  };
};
