import type { CardTransaction } from '@florin/client';
import { formatMoney } from '@florin/ui/format/money.ts';
import { refundsOf, type Tone, toneOf } from '../../domain/payment-view.ts';
import { useTranslator } from '../../i18n/i18n.ts';

export type PaymentState = { tone: Tone; text: string };

/** The state of a payment beyond being settled: how much of it came back, and how its dispute stands. */
export const useWhatFollowed = (payment: CardTransaction): PaymentState[] => {
  const { t, word, locale } = useTranslator();
  const { amount, refundedAmount, decimals, currency, dispute } = payment;
  const refunds = refundsOf({ amount, refundedAmount });
  const back = formatMoney({ amount: refundedAmount, decimals, currency }, locale);
  return [
    ...(refunds === 'all' ? [{ tone: 'plain' as const, text: t('payment.refunded') }] : []),
    ...(refunds === 'part' ? [{ tone: 'plain' as const, text: t('payment.partly_refunded', { amount: back }) }] : []),
    ...(dispute === undefined
      ? []
      : [
          { tone: dispute.status === 'withdrawn' ? ('plain' as const) : ('warn' as const), text: word('payment.dispute_', dispute.status) },
        ]),
  ];
};

/** All that a payment is: its status first. */
export const usePaymentStates = (payment: CardTransaction): PaymentState[] => {
  const { word } = useTranslator();
  return [{ tone: toneOf(payment.status), text: word('payment.status_', payment.status) }, ...useWhatFollowed(payment)];
};
