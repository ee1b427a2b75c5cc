import { type Amount, formatMoney } from '../format/money.ts';
import { useTranslator } from '../i18n/translator.tsx';

/** Money in the reader's format. `sign` writes a plus before credits and colours them. */
export const Money = ({
  sign = false,
  isVoid = false,
  ...amount
}: Amount & { sign?: boolean /** Money that did not move. */; isVoid?: boolean }) => {
  const { locale } = useTranslator();
  const isCredit = sign && !amount.amount.startsWith('-') && amount.amount !== '0';
  const look = isVoid ? ' money-void' : isCredit ? ' money-in' : '';
  return <span className={`money${look}`}>{formatMoney(amount, locale, sign && !isVoid ? 'exceptZero' : 'auto')}</span>;
};
