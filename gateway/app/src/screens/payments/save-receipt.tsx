import type { CardTransactionDetail } from '@florin/client';
import { formatMoney } from '@florin/ui/format/money.ts';
import { saveFile } from '@florin/ui/page/save-file.ts';
import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { formatTime } from '@florin/ui/parts/time.tsx';
import { useMutation } from '@tanstack/react-query';
import { accountQuery, cardsQuery, queries, userQuery } from '../../api/queries.ts';
import { placeOf } from '../../domain/place.ts';
import { formatRate } from '../../domain/rate.ts';
import { categoryName } from '../../i18n/categories.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { documentPdf } from '../../pdf/document-pdf.ts';

type Payer = { email: string; reference: string; last4: string | undefined };

/** Writes the receipt of a payment in the language of its reader. */
const useReceiptText = (payment: CardTransactionDetail) => {
  const { t, word, locale } = useTranslator();
  const { merchant, decimals, currency, fx, originalAmount, originalCurrency, originalDecimals } = payment;
  const money = (amount: string | undefined) =>
    amount === undefined || amount === '0' ? undefined : formatMoney({ amount, decimals, currency }, locale);
  return ({ email, reference, last4 }: Payer) => {
    const facts: readonly (readonly [name: string, value: string | undefined])[] = [
      [t('receipt.merchant'), merchant.name ?? t('payment.unnamed')],
      [t('payment.where'), placeOf(merchant, locale)],
      [t('payment.category'), categoryName(merchant.categoryCode ?? '', locale)],
      [t('receipt.kind'), word('payment.kind_', payment.kind)],
      [t('receipt.amount'), formatMoney({ amount: payment.amount, decimals, currency }, locale)],
      [
        t('payment.original'),
        originalCurrency === currency
          ? undefined
          : formatMoney({ amount: originalAmount, decimals: originalDecimals, currency: originalCurrency }, locale),
      ],
      [t('payment.rate'), fx && formatRate(originalCurrency, fx.rate, currency, locale)],
      [t('payment.markup'), money(fx?.markupAmount)],
      [t('payment.cleared_amount'), payment.clearedAmount === payment.amount ? undefined : money(payment.clearedAmount)],
      [t('payment.refunded_amount'), money(payment.refundedAmount)],
      [t('payment.when'), formatTime(payment.createdAt, locale)],
      [t('account.status'), word('payment.status_', payment.status)],
      [t('payment.cleared'), payment.clearedAt && formatTime(payment.clearedAt, locale)],
      [t('payment.card'), last4 && `•••• ${last4}`],
      [t('payment.authorization'), payment.authorizationCode],
      [t('receipt.reference'), payment.id],
      [t('receipt.holder'), email],
      [t('account.reference'), reference],
    ];
    return {
      title: `${t('app.name')} · ${t('receipt.title')}`,
      language: locale,
      facts: facts.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, value] as const])),
      note: t('receipt.note'),
    };
  };
};

/** Saves a receipt that a person can read and hand in, as a PDF, which the page writes. */
export const SaveReceipt = ({ payment }: { payment: CardTransactionDetail }) => {
  const { t } = useTranslator();
  const write = useReceiptText(payment);
  const saving = useMutation({
    mutationFn: async () => {
      const [{ reference }, { email }, cards] = await Promise.all([
        queries.ensureQueryData(accountQuery),
        queries.ensureQueryData(userQuery),
        queries.ensureQueryData(cardsQuery),
      ]);
      return documentPdf(write({ reference, email, last4: cards.find(({ id }) => id === payment.cardId)?.last4 }));
    },
    onSuccess: (pdf) => saveFile(`florin-receipt-${payment.id}.pdf`, 'application/pdf', pdf),
  });
  return (
    <>
      <div className="actions">
        <Button busy={saving.isPending} onClick={() => saving.mutate()}>
          {t('receipt.save')}
        </Button>
      </div>
      <Failure error={saving.error} />
    </>
  );
};
