import { negate } from '@florin/ui/format/money.ts';

/** The fields of a payment that decide how it looks. */
type Payment = {
  status: string;
  isCredit: boolean;
  amount: string;
  refundedAmount: string;
  dispute?: { status: string } | undefined;
};

export type Tone = 'plain' | 'good' | 'warn' | 'bad';

/** The amount with the sign of the account: negative for what was paid. */
export const signedAmount = ({ amount, isCredit }: Pick<Payment, 'amount' | 'isCredit'>): string => (isCredit ? amount : negate(amount));

/** Reports whether no money moved in the end. */
export const isVoid = ({ status }: Pick<Payment, 'status'>): boolean =>
  status === 'declined' || status === 'reversed' || status === 'expired';

export type Refunds = 'none' | 'part' | 'all';

/** How much of a payment came back. */
export const refundsOf = ({ amount, refundedAmount }: Pick<Payment, 'amount' | 'refundedAmount'>): Refunds => {
  const back = BigInt(refundedAmount);
  if (back <= 0n) return 'none';
  return back >= BigInt(amount) ? 'all' : 'part';
};

const TONES: Readonly<Record<string, Tone>> = { pending: 'warn', declined: 'bad', settled: 'good' };
export const toneOf = (status: string): Tone => TONES[status] ?? 'plain';

/** The state of the money of a payment that the person does not know. */
export const moneyOf = (payment: Payment): 'declined' | 'released' | 'pending' | 'back' | 'settled' => {
  if (payment.status === 'declined' || payment.status === 'pending') return payment.status;
  if (isVoid(payment)) return 'released';
  return refundsOf(payment) === 'all' ? 'back' : 'settled';
};

/** Reports whether the person can dispute a payment: it was taken, has not come back, and is not disputed. */
export const canDispute = (payment: Payment & { kind: string }): boolean =>
  payment.status === 'settled' && !payment.isCredit && payment.dispute === undefined && refundsOf(payment) !== 'all';

/** Reports whether a receipt confirms a payment: money was taken for it. A check of a card takes none. */
export const hasReceipt = ({ status, kind, isCredit }: Pick<Payment, 'status' | 'isCredit'> & { kind: string }): boolean =>
  status === 'settled' && kind !== 'verification' && !isCredit;
