import type { Challenge, Consumption } from './challenge.ts';
import { readableName } from './readable-name.ts';

const DAY_MS = 86_400_000;

/**
 * A request of a payment that presents an authentication. Amounts are in the currency's minor unit.
 * @property requestId unique within the payment
 * @property amount what the request asks for
 * @property approvedBefore what the payment's decided requests were approved for together
 * @property decidedRequestIds those requests
 * @property merchantId empty when it is not known
 */
export type PresentedPayment = {
  cardId: string;
  paymentId: string;
  requestId: string;
  amount: bigint;
  approvedBefore: bigint;
  decidedRequestIds: readonly string[];
  currency: string;
  merchantId: string;
};

/** Names one request in `releasedUses`. */
export const useOf = ({ paymentId, requestId }: Pick<PresentedPayment, 'paymentId' | 'requestId'>): string => `${paymentId} ${requestId}`;

type ConsumedChallenge = Pick<
  Challenge,
  'status' | 'cardId' | 'currency' | 'amount' | 'merchant' | 'receipt' | 'consumedBy' | 'agedSeconds' | 'releasedUses'
>;

/** The sum of the payment's requests that are still being decided. */
const undecided = (requests: Consumption['requests'], { requestId, decidedRequestIds }: PresentedPayment): bigint => {
  const known = new Set([requestId, ...decidedRequestIds]);
  return requests.reduce((sum, { id, amount }) => (known.has(id) ? sum : sum + BigInt(amount)), 0n);
};

/**
 * The use of an approved challenge with a request. The challenge has to name the same card, payee and currency, and at least what the payment is for with
 * all of its requests (PSD2 RTS, Article 5). Payees are compared when both sides name them by the acquirer's id. An approval is used within
 * `maxAgeDays` of the decision; a verification of the card asks for nothing, and any approval covers it; a payment that has used it up in time may present it again later, for example for an increase.
 * @returns undefined when the challenge does not cover the request, another payment uses it, or the request has given it back; the present use
 * when the request is a part of it
 */
export const consumptionWith = (
  challenge: ConsumedChallenge,
  payment: PresentedPayment,
  { now, maxAgeDays }: { now: Date; maxAgeDays: number },
): Consumption | undefined => {
  const { status, cardId, currency, merchant, receipt, consumedBy, agedSeconds = 0, releasedUses = [] } = challenge;
  const { paymentId, requestId } = payment;
  const inUse = consumedBy !== undefined && consumedBy.requests.length > 0;
  if (inUse && consumedBy.paymentId !== paymentId) return undefined;
  const use = inUse ? consumedBy : { paymentId, at: now, requests: [], revision: consumedBy?.revision ?? 0 };
  const ageMs = use.at.getTime() + agedSeconds * 1000 - (receipt?.decidedAt.getTime() ?? 0);
  const fits =
    status === 'approved' &&
    receipt !== undefined &&
    ageMs <= maxAgeDays * DAY_MS &&
    cardId === payment.cardId &&
    (payment.amount === 0n || currency === payment.currency) &&
    // A challenge has it as it is read in the signed text; those of earlier releases as it came.
    (merchant.id === undefined ||
      payment.merchantId === '' ||
      [payment.merchantId, readableName(payment.merchantId)].includes(merchant.id)) &&
    !releasedUses.includes(useOf(payment));
  if (!fits) return undefined;
  if (use.requests.some(({ id }) => id === requestId)) return use;
  const total = payment.approvedBefore + undecided(use.requests, payment) + payment.amount;
  if (total > BigInt(challenge.amount === '' ? 0 : challenge.amount)) return undefined;
  const requests = [...use.requests, { id: requestId, amount: payment.amount.toString() }];
  return { ...use, requests, revision: use.revision + 1 };
};
