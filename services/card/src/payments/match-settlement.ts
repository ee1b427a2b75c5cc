import type { Runtime } from '@florin/rpc/runtime';
import type { ExceptionKind, NewException } from '../domain/exception.ts';
import type { Payment } from '../domain/payment.ts';
import { claimIdOf, exceptionIdOf, paymentIdOf, settledIdOf } from '../domain/payment-ids.ts';
import type { Program } from '../domain/program.ts';
import { agrees, type Report, reportsFor, type SettledItem } from '../domain/settled-item.ts';
import type { EventClaimStore } from '../store/event-claims.ts';
import type { ExceptionStore } from '../store/exceptions.ts';
import type { PaymentStore } from '../store/payments.ts';

export type MatchingParts = {
  payments: Pick<PaymentStore, 'findMany' | 'findByAcquirerReferences'>;
  claims: Pick<EventClaimStore, 'paymentsOf' | 'claim'>;
  exceptions: Pick<ExceptionStore, 'raise'>;
  program: Pick<Program, 'currency'>;
  runtime: Pick<Runtime, 'now'>;
};

/** The report that an item belongs to, and the exception that it raises. */
export type Match = { report?: Report | undefined; exceptionId?: string };

/** Payments that items may belong to: by the ids of their events and transactions, or by their acquirer references where no id is known. */
const findCandidates = async ({ payments, claims }: MatchingParts, items: readonly SettledItem[]): Promise<Payment[]> => {
  const claimed = items.flatMap(({ processor, eventId }) => (eventId === undefined ? [] : [claimIdOf(processor, eventId)]));
  const ofTransactions = items.flatMap(({ processor, transactionId }) =>
    transactionId === undefined ? [] : [paymentIdOf(processor, transactionId)],
  );
  const ids = [...(await claims.paymentsOf(claimed)), ...ofTransactions];
  const references = items.flatMap(({ eventId, transactionId, acquirerReference }) =>
    eventId === undefined && transactionId === undefined && acquirerReference !== undefined ? [acquirerReference] : [],
  );
  const found = await Promise.all([
    payments.findMany([...new Set(ids)]),
    references.length === 0 ? [] : payments.findByAcquirerReferences(references),
  ]);
  return [...new Map(found.flat().map((payment) => [payment.id, payment])).values()];
};

/** Finds payments by what an item says of them, so that an item looks at its own payments only. */
const index = (candidates: readonly Payment[]) => {
  const byName = new Map<string, Set<Payment>>();
  const add = (name: string, payment: Payment) => byName.set(name, (byName.get(name) ?? new Set()).add(payment));
  for (const payment of candidates) {
    if (payment.transactionId !== undefined) add(`transaction ${payment.processor} ${payment.transactionId}`, payment);
    for (const { id, network } of payment.events) {
      add(`event ${payment.processor} ${id}`, payment);
      if (network?.acquirerReference !== undefined) add(`reference ${payment.processor} ${network.acquirerReference}`, payment);
    }
  }
  return ({ processor, eventId, transactionId, acquirerReference }: SettledItem): Payment[] => {
    const names = [
      `transaction ${processor} ${transactionId}`,
      `event ${processor} ${eventId}`,
      `reference ${processor} ${acquirerReference}`,
    ];
    return [...new Set(names.flatMap((name) => [...(byName.get(name) ?? [])]))];
  };
};

/**
 * Matches settlement items with the reports of clearings and refunds. The first item that is matched with a report claims it for good, so two items never settle one
 * report unnoticed. Safe to repeat: an item finds its own claim and its own exception again.
 * @param raisesUnmatched tells whether an item without a report raises an exception
 * @throws CodedError SERVICE_UNAVAILABLE
 */
export const matchSettlement = async (
  parts: MatchingParts,
  items: readonly (SettledItem & { raisesUnmatched: boolean })[],
): Promise<Match[]> => {
  const { claims, exceptions, program, runtime } = parts;
  const paymentsOf = index(await findCandidates(parts, items));

  const raise = async (item: SettledItem, kind: ExceptionKind, report?: Report): Promise<string> => {
    const { processor, recordId, transactionId, amount, currency } = item;
    // No id of an event has a space.
    const id = exceptionIdOf(processor, `settlement ${recordId}`);
    const absolute = amount < 0n ? -amount : amount;
    const exception: NewException = {
      ...{ id, kind, processor, eventId: recordId, eventType: '', cardId: report?.payment.cardId ?? '' },
      ...{ originalAmount: absolute, originalCurrency: currency },
      ...(currency === program.currency ? { amount: absolute } : {}),
      ...(report === undefined ? {} : { paymentId: report.payment.id, accountId: report.payment.accountId }),
      ...(report === undefined && transactionId !== undefined ? { transactionId } : {}),
    };
    await exceptions.raise(exception);
    return id;
  };

  const matchOne = async (item: SettledItem & { raisesUnmatched: boolean }): Promise<Match> => {
    const reports = reportsFor(item, paymentsOf(item), program.currency);
    if (reports.length === 0) return item.raisesUnmatched ? { exceptionId: await raise(item, 'unmatched_settlement') } : {};
    const record = claimIdOf(item.processor, item.recordId);
    for (const report of reports) {
      const id = settledIdOf(report.payment.id, report.event.id);
      const claim = await claims.claim({ id, inputHash: '', paymentId: record, at: runtime.now() });
      if (claim.paymentId !== record) continue;
      const isAgreed = agrees(item, report, program.currency);
      return { report, ...(isAgreed ? {} : { exceptionId: await raise(item, 'settlement_difference', report) }) };
    }
    return { exceptionId: await raise(item, 'settlement_difference', reports[0]) };
  };

  // Items of one payment take its reports in their order.
  const groups = Map.groupBy(items, ({ transactionId, eventId, acquirerReference }) => transactionId ?? eventId ?? acquirerReference);
  const results = new Map<SettledItem, Match>();
  await Promise.all(
    [...groups.values()].map(async (group) => {
      for (const item of group) results.set(item, await matchOne(item));
    }),
  );
  return items.map((item) => results.get(item) ?? {});
};
