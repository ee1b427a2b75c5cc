import { type Payment, PaymentStatus } from '@florin/proto/card/v1/payment';
import { waitFor } from '@florin/rpc/testing/wait-for';
import type { ApiClient } from '../../support/api-client.ts';
import type { CardNetwork } from '../../support/card-network.ts';
import { DEPOSIT, type Holder } from './load.ts';
import type { SentEvent, SentPayment } from './network.ts';

/** Longer than any sweeper takes to release what nobody has decided. */
const SETTLE_MS = 60_000;

/** Events that are on record as exceptions, and with no payment: by the sign of their amount in suspense. */
const SUSPENDED: Readonly<Partial<Record<SentEvent['action'], 1 | -1>>> = {
  ...({ clearUnknown: -1, standInUnknown: -1, refundUnknown: 1, reverseUnknown: 1 } as const),
};
const isSuspended = ({ action }: SentEvent): boolean => SUSPENDED[action] !== undefined;

/** Returns the suspense that these payments leave, in cents. */
export const suspendedBy = (payments: readonly SentPayment[]): number =>
  payments.flatMap(({ events }) => events).reduce((total, { action, amount }) => total + (SUSPENDED[action] ?? 0) * amount, 0);

/** The state of a payment, computed from the answers alone. */
const expectedOf = ({ events }: SentPayment) => {
  let [held, cleared, refunded, over, credited, raised] = [0, 0, 0, 0, 0, 0];
  let isBooked = false;
  for (const { action, amount, answer } of events) {
    const approved = (answer as { approved?: boolean } | undefined)?.approved !== false;
    if (!approved) continue;
    if (action === 'authorize' || action === 'fuel') held += amount;
    if (action === 'increment') [held, over, raised] = [held + Math.max(0, amount - over), Math.max(0, over - amount), amount];
    if (action === 'undoIncrease') [held, over, raised] = [Math.max(0, held - over - raised), Math.max(0, over + raised - held), 0];
    if (action === 'undo') [held, cleared, isBooked] = [0, 0, false];
    if (action === 'withdraw' || action === 'standIn') isBooked = true;
    if (action === 'withdraw' || action === 'standIn' || action === 'forcePost' || action === 'correctDebit') cleared += amount;
    // A clearing of what was booked at once is the record of it.
    if (action === 'clear') [held, cleared] = [0, isBooked ? Math.max(cleared, amount) : cleared + amount];
    if (action === 'clearPart') [held, cleared, over] = [Math.max(0, held - amount), cleared + amount, over + Math.max(0, amount - held)];
    if (action === 'advise') [held, cleared] = isBooked ? [0, amount] : [Math.max(0, amount - cleared), cleared];
    if (action === 'reverse') [held, cleared] = [0, isBooked ? 0 : cleared];
    if (action === 'reversePart') [held, cleared] = isBooked ? [0, cleared - amount] : [Math.max(0, held - amount), cleared];
    if (action === 'expire') held = 0;
    if (action === 'refund' || action === 'credit' || action === 'correctCredit') refunded += amount;
    if (action === 'reverseRefund') refunded -= amount;
    if (action === 'win') credited = cleared;
    if (action === 'lose' || action === 'giveUp') credited = 0;
  }
  return { held, cleared, refunded, credited };
};

type Recorded = { held: number; cleared: number; refunded: number; credited: number };

const recordedOf = ({ heldAmount, clearedAmount, refundedAmount, dispute, earlierDisputes }: Payment): Recorded => ({
  held: Number(heldAmount),
  cleared: Number(clearedAmount),
  refunded: Number(refundedAmount),
  credited: [...earlierDisputes, ...(dispute === undefined ? [] : [dispute])].reduce((sum, one) => sum + Number(one.creditedAmount), 0),
});

/** The outcomes of an authorization that the network has given up: it is held until it expires, or it was declined. */
const ABANDONED: ReadonlySet<PaymentStatus> = new Set([PaymentStatus.PENDING, PaymentStatus.DECLINED]);

/** All payments of a card, by transaction id. */
const paymentsOf = async (api: ApiClient, network: CardNetwork, holder: Holder): Promise<Map<string, Payment>> => {
  const found = new Map<string, Payment>();
  let cursor = '';
  do {
    const query = `cardId=${holder.cardId}&limit=100${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
    const page = await api.call<{ data: { id: string }[]; pagination: { nextCursor: string | null } }>(
      'GET',
      `/cards/transactions?${query}`,
      { token: holder.person.token },
    );
    for (const { id } of page.data) {
      const { payment } = await network.payments.getPayment({ paymentId: id });
      if (payment !== undefined) found.set(payment.transactionId, payment);
    }
    cursor = page.pagination.nextCursor ?? '';
  } while (cursor !== '');
  return found;
};

type Row = { currency: string; spendable: string; nonSpendable: string };

/** Balance and limits of a holder, in cents. */
const balanceOf = async (api: ApiClient, network: CardNetwork, { person: { token }, cardId }: Holder) => {
  const { data } = await api.call<{ data: Row[] }>('GET', '/user/balances/v2', { token });
  const row = data.find(({ currency }) => currency === 'EUR');
  return { spendable: Number(row?.spendable), held: Number(row?.nonSpendable), used: await network.used(cardId) };
};

/** Compares what the network was told about a holder's payments with records, holds, limits and balances. */
export const auditHolder = async (api: ApiClient, network: CardNetwork, holder: Holder): Promise<string[]> => {
  const problems: string[] = [];
  const { cardId, payments } = holder;
  const expectedBalance = (records: Map<string, Payment>) => {
    const all = [...records.values()].map(recordedOf);
    const sum = (of: (one: Recorded) => number): number => all.reduce((total, one) => total + of(one), 0);
    const [held, cleared] = [sum((one) => one.held), sum((one) => one.cleared)];
    const paid = sum((one) => one.refunded + one.credited);
    return { spendable: DEPOSIT - held - cleared + paid, held, used: held + cleared };
  };

  let seen: object = {};
  let records = new Map<string, Payment>();
  try {
    await waitFor(
      `the holds of card ${cardId} to agree with its payments`,
      async () => {
        records = await paymentsOf(api, network, holder);
        const [has, expected] = [await balanceOf(api, network, holder), expectedBalance(records)];
        seen = { has, expected };
        return has.spendable === expected.spendable && has.held === expected.held && has.used === expected.used ? true : undefined;
      },
      SETTLE_MS,
    );
  } catch {
    problems.push(`card ${cardId}: balance and payments disagree: ${JSON.stringify(seen)}`);
  }

  for (const payment of payments) {
    const { transactionId, abandoned } = payment;
    const record = records.get(transactionId);
    if (abandoned) {
      if (record !== undefined && !ABANDONED.has(record.status)) {
        problems.push(`payment ${transactionId} was given up and has status ${record.status}`);
      }
      continue;
    }
    if (record === undefined) {
      problems.push(`payment ${transactionId} was answered and is not on record`);
      continue;
    }
    const [has, expected] = [recordedOf(record), expectedOf(payment)];
    if (JSON.stringify(has) !== JSON.stringify(expected)) {
      problems.push(`payment ${transactionId} is ${JSON.stringify(has)}, its answers come to ${JSON.stringify(expected)}`);
    }
    const own = record.events.filter(({ type }) => !type.startsWith('related_'));
    if (own.length !== payment.events.filter((event) => !isSuspended(event)).length)
      problems.push(`payment ${transactionId} has ${own.length} events`);
  }
  if (records.size > payments.length) problems.push(`card ${cardId} has ${records.size} payments, ${payments.length} were sent`);
  return problems;
};

/** Every card has a number of its own, the same at every reveal. */
export const auditNumbers = (holders: readonly Holder[]): string[] => {
  const problems: string[] = [];
  const numbers = new Set<string>();
  for (const { cardId, reveals } of holders) {
    const [first, ...others] = reveals;
    if (first === undefined) continue;
    if (others.some(({ pan, cvv2 }) => pan !== first.pan || cvv2 !== first.cvv2)) problems.push(`card ${cardId} has two numbers`);
    if (numbers.has(first.pan)) problems.push(`card ${cardId} has the number of another card`);
    numbers.add(first.pan);
  }
  return problems;
};
