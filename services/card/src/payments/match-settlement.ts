import type { Amount } from '@florin/rpc/money';
import type { Runtime } from '@florin/rpc/runtime';
import type { Exception, ExceptionKind, NewException } from '../domain/exception.ts';
import { type Payment, transactionIdsOf } from '../domain/payment.ts';
import { claimIdOf, exceptionIdOf, paymentIdOf, settledIdOf } from '../domain/payment-ids.ts';
import type { Program } from '../domain/program.ts';
import { agrees, agreesWithSuspense, type Report, reportsFor, type SettledItem } from '../domain/settled-item.ts';
import type { EventClaimStore } from '../store/event-claims.ts';
import type { ExceptionStore } from '../store/exceptions.ts';
import type { PaymentStore } from '../store/payments.ts';

export type MatchingParts = {
  payments: Pick<PaymentStore, 'findMany' | 'findPresented'>;
  claims: Pick<EventClaimStore, 'find' | 'paymentsOf' | 'claim'>;
  exceptions: Pick<ExceptionStore, 'find' | 'raise' | 'resolve'>;
  program: Pick<Program, 'currency'>;
  runtime: Pick<Runtime, 'now'>;
};

/** The report that an item belongs to, and the exception that it raises. Of a report in suspense: its exception, and the reference of the ledger's entry about it. */
export type Match = { report?: Report | undefined; exceptionId?: string; suspenseId?: string };

/** Payments that items may belong to: by the ids of their events and transactions, also those of later events alone, and by their acquirer references. */
const findCandidates = async ({ payments, claims }: MatchingParts, items: readonly SettledItem[]): Promise<Payment[]> => {
  const claimed = items.flatMap(({ processor, eventId }) => (eventId === undefined ? [] : [claimIdOf(processor, eventId)]));
  const ofTransactions = items.flatMap(({ processor, transactionId }) =>
    transactionId === undefined ? [] : [paymentIdOf(processor, transactionId)],
  );
  const ids = [...(await claims.paymentsOf(claimed)), ...ofTransactions];
  const references = items.flatMap(({ acquirerReference }) => acquirerReference ?? []);
  const transactionIds = items.flatMap(({ transactionId }) => transactionId ?? []);
  const found = await Promise.all([payments.findMany([...new Set(ids)]), payments.findPresented(references, transactionIds)]);
  return [...new Map(found.flat().map((payment) => [payment.id, payment])).values()];
};

/** Finds payments by what an item says of them, so that an item looks at its own payments only. */
const index = (candidates: readonly Payment[]) => {
  const byName = new Map<string, Set<Payment>>();
  const add = (name: string, payment: Payment) => byName.set(name, (byName.get(name) ?? new Set()).add(payment));
  for (const payment of candidates) {
    for (const id of transactionIdsOf(payment)) add(`transaction ${payment.processor} ${id}`, payment);
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

/** The amounts of an exception about a settlement: below zero for a refund. */
export const amountsOf = (
  { amount, currency }: { amount: Amount; currency: string },
  program: Pick<Program, 'currency'>,
): Pick<NewException, 'amount' | 'originalAmount' | 'originalCurrency'> => ({
  ...{ originalAmount: amount, originalCurrency: currency },
  ...(currency === program.currency ? { amount } : {}),
});

/** Id of the exception of a kind about a record of settlement. No id of an event has a space. */
export const recordExceptionIdOf = (processor: string, recordId: string, kind: ExceptionKind): string =>
  exceptionIdOf(processor, kind === 'unmatched_settlement' ? `settlement ${recordId}` : `settlement ${recordId} ${kind}`);

/**
 * Matches settlement items with the reports of clearings and refunds. The first item that is matched with a report claims it for good, so two items never settle one
 * report unnoticed. A guess claims it only among guesses. Safe to repeat: an item finds its own claim and its own exception again.
 * @param raisesUnmatched tells whether an item without a report is guessed, and raises an exception
 * @throws CodedError SERVICE_UNAVAILABLE
 */
export const matchSettlement = async (
  parts: MatchingParts,
  items: readonly (SettledItem & { raisesUnmatched: boolean })[],
): Promise<Match[]> => {
  const { claims, exceptions, program, runtime } = parts;
  const paymentsOf = index(await findCandidates(parts, items));

  const idOf = ({ processor, recordId }: SettledItem, kind: ExceptionKind): string => recordExceptionIdOf(processor, recordId, kind);

  /** Ends what an item has raised when less was known. */
  const resolve = async (item: SettledItem, kinds: readonly ExceptionKind[]): Promise<void> => {
    const resolution = { by: 'settlement', note: 'superseded by a later match', at: runtime.now() };
    for (const kind of kinds) await exceptions.resolve(idOf(item, kind), resolution);
  };

  const raise = async (item: SettledItem, kind: ExceptionKind, report?: Report): Promise<string> => {
    const { processor, recordId, transactionId, amount, currency } = item;
    const id = idOf(item, kind);
    const exception: NewException = {
      ...{ id, kind, processor, eventId: recordId, eventType: '', cardId: report?.payment.cardId ?? '' },
      ...amountsOf({ amount, currency }, program),
      ...(report === undefined ? {} : { paymentId: report.payment.id, accountId: report.payment.accountId }),
      ...(report === undefined && transactionId !== undefined ? { transactionId } : {}),
    };
    await exceptions.raise(exception);
    return id;
  };

  /** @returns false if another item has it */
  const claim = async (item: SettledItem, id: string): Promise<boolean> => {
    const record = claimIdOf(item.processor, item.recordId);
    return (await claims.claim({ id, inputHash: '', paymentId: record, at: runtime.now() })).paymentId === record;
  };

  /** The exception of an item's report that is in suspense, if it was booked there. */
  const findSuspended = async ({ processor, eventId }: SettledItem): Promise<Exception | undefined> => {
    const reported = eventId === undefined ? undefined : await claims.find(claimIdOf(processor, eventId));
    const exception = reported?.suspended === true ? await exceptions.find(reported.paymentId) : undefined;
    return (exception?.suspended ?? 0n) === 0n ? undefined : exception;
  };

  /** The match with a report in suspense, also where the network settles another amount than it has reported. */
  const matchSuspended = async (item: SettledItem, suspended: Exception): Promise<Match> => {
    const suspenseId = suspended.presentmentId ?? suspended.id;
    if (agreesWithSuspense(item, suspended, program.currency)) {
      await resolve(item, ['unmatched_settlement', 'settlement_difference']);
      return { exceptionId: suspended.id, suspenseId };
    }
    await resolve(item, ['unmatched_settlement']);
    return { exceptionId: await raise(item, 'settlement_difference'), suspenseId };
  };

  const matchOne = async (item: SettledItem & { raisesUnmatched: boolean }): Promise<Match> => {
    const { reports, guess } = reportsFor(item, paymentsOf(item), program.currency);
    for (const report of reports) {
      if (!(await claim(item, settledIdOf(report.payment.id, report.event.id)))) continue;
      const isAgreed = agrees(item, report, program.currency);
      if (item.raisesUnmatched)
        await resolve(item, isAgreed ? ['unmatched_settlement', 'settlement_difference'] : ['unmatched_settlement']);
      return { report, ...(isAgreed ? {} : { exceptionId: await raise(item, 'settlement_difference', report) }) };
    }
    if (reports.length > 0) return { exceptionId: await raise(item, 'settlement_difference', reports[0]) };
    const suspended = await findSuspended(item);
    if (suspended !== undefined) return matchSuspended(item, suspended);
    if (!item.raisesUnmatched) return {};
    if (guess !== undefined) {
      const settled = settledIdOf(guess.payment.id, guess.event.id);
      if ((await claims.find(settled)) === undefined && (await claim(item, `${settled} guess`)))
        return { report: guess, exceptionId: await raise(item, 'settlement_difference', guess) };
    }
    await resolve(item, ['settlement_difference']);
    return { exceptionId: await raise(item, 'unmatched_settlement') };
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
