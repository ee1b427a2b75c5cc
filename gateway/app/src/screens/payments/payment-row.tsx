import type { CardTransaction } from '@florin/client';
import { formatMoney } from '@florin/ui/format/money.ts';
import { Money } from '@florin/ui/parts/money.tsx';
import { ScreenLink } from '@florin/ui/parts/screen-link.tsx';
import { Time, type TimeStyle } from '@florin/ui/parts/time.tsx';
import { isVoid, signedAmount } from '../../domain/payment-view.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { Face, signOf } from './merchant-face.tsx';
import { useWhatFollowed } from './payment-states.ts';

/** The line below the name: what is unusual about the payment, as another currency, otherwise its kind. */
const useStateText = (payment: CardTransaction): string => {
  const { word, locale } = useTranslator();
  const status = payment.status === 'settled' ? [] : [word('payment.status_', payment.status)];
  const unusual = [...status, ...useWhatFollowed(payment).map(({ text }) => text)];
  const { originalAmount, originalDecimals, originalCurrency } = payment;
  if (originalCurrency !== payment.currency)
    unusual.push(formatMoney({ amount: originalAmount, decimals: originalDecimals, currency: originalCurrency }, locale));
  return unusual.length === 0 ? word('payment.kind_', payment.kind) : unusual.join(' · ');
};

/** A payment in a list. @param time how its time is written: a list by days says the day above */
export const PaymentRow = ({ payment, time = 'short' }: { payment: CardTransaction; time?: TimeStyle }) => {
  const { t } = useTranslator();
  const { merchant, decimals, currency } = payment;
  const name = merchant.name ?? t('payment.unnamed');
  const state = useStateText(payment);
  return (
    <ScreenLink to="/payments/$paymentId" params={{ paymentId: payment.id }} search={{}} className="row">
      <Face sign={signOf(payment)} name={name} />
      <span>
        <span className="row-title">{name}</span>
        <span className="soft small">{state}</span>
      </span>
      <span className="row-end">
        <span className="strong">
          <Money amount={signedAmount(payment)} decimals={decimals} currency={currency} sign isVoid={isVoid(payment)} />
        </span>
        <span className="soft small">
          <Time at={payment.createdAt} look={time} />
        </span>
      </span>
    </ScreenLink>
  );
};
