import { formatMonth } from '@florin/ui/format/days.ts';
import { formatMoney } from '@florin/ui/format/money.ts';
import { saveFile } from '@florin/ui/page/save-file.ts';
import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { SelectField } from '@florin/ui/parts/field.tsx';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { accountQuery, balancesQuery, queries, readLinesBefore, readStatement } from '../../api/queries.ts';
import { formatRate } from '../../domain/rate.ts';
import { monthsUpTo, periodOf } from '../../domain/spending.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { type DocumentText, documentPdf } from '../../pdf/document-pdf.ts';
import { type Balance, balancesOf, type Line, stillIn } from './balances.ts';
import { lineWord } from './line-word.ts';

const MONTHS = 12;

/** Writes the statement of a month in the language of its reader. */
const useDocumentText = () => {
  const { t, word, locale } = useTranslator();
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'short' });
  const period = new Intl.DateTimeFormat(locale, { dateStyle: 'long' });
  const moreOf = ({ merchant, cardTransactionId, foreign, currency, kind, amount }: Line): string[] => [
    ...(cardTransactionId === undefined || merchant?.name === undefined ? [] : [word('line.', lineWord({ kind, amount }))]),
    ...(foreign === undefined
      ? []
      : [
          [
            formatMoney({ amount: foreign.originalAmount, decimals: foreign.originalDecimals, currency: foreign.originalCurrency }, locale),
            ...(foreign.fx === undefined ? [] : [formatRate(foreign.originalCurrency, foreign.fx.rate, currency, locale)]),
          ].join(' · '),
        ]),
  ];
  return (
    month: string,
    { reference, balances, lines, isWhole }: { reference: string; balances: readonly Balance[]; lines: readonly Line[]; isWhole: boolean },
  ): DocumentText => {
    const money = (amount: string, { decimals, currency }: Pick<Line, 'decimals' | 'currency'>) =>
      formatMoney({ amount, decimals, currency }, locale);
    const { from, to } = periodOf(month);
    return {
      title: `${t('app.name')} · ${t('account.statement')} · ${formatMonth(month, locale)}`,
      language: locale,
      facts: [
        [t('account.reference'), reference],
        [t('statement.period'), period.formatRange(new Date(from), new Date(Date.parse(to) - 1))],
        ...balances.flatMap((balance) => [
          ...(balance.before === undefined
            ? []
            : [[t('statement.before', { token: balance.token }), money(balance.before, balance)] as const]),
          [t('statement.after', { token: balance.token }), money(balance.after, balance)] as const,
        ]),
      ],
      ...(lines.length > 0 && {
        lines: {
          columns: { day: t('statement.day'), what: t('line.what'), amount: t('line.amount'), balance: t('line.balance') },
          rows: lines.toReversed().map((line) => ({
            day: day.format(new Date(line.createdAt)),
            what: (line.cardTransactionId === undefined ? undefined : line.merchant?.name) ?? word('line.', lineWord(line)),
            more: moreOf(line),
            amount: money(line.amount, line),
            balance: money(line.balanceAfter, line),
          })),
        },
      }),
      note: lines.length === 0 ? t('statement.none') : isWhole ? undefined : t('statement.cut'),
    };
  };
};

/** Reads the content of a month's statement. */
const readMonth = async (month: string) => {
  const [{ reference }, { data }, period] = await Promise.all([
    queries.ensureQueryData(accountQuery),
    queries.ensureQueryData(balancesQuery),
    readStatement(month),
  ]);
  const tokens = data.flatMap(({ currency, tokens: rows }) => rows.map(({ token, decimals }) => ({ token, decimals, currency })));
  const { rows: lines, isWhole } = period;
  const still = stillIn(period, tokens).map(({ token }) => token);
  return { reference, lines, isWhole, balances: balancesOf(period, tokens, await readLinesBefore(month, still)) };
};

/** Saves the statement of a month as a PDF, which the page writes. */
export const MonthlyStatement = () => {
  const { t, locale } = useTranslator();
  const months = monthsUpTo(new Date(), MONTHS).toReversed();
  const [month = '', setMonth] = useState(months[0]);
  const write = useDocumentText();
  const saving = useMutation({
    mutationFn: async () => documentPdf(write(month, await readMonth(month))),
    onSuccess: (pdf) => saveFile(`florin-statement-${month}.pdf`, 'application/pdf', pdf),
  });
  return (
    <>
      <div className="pick">
        <SelectField
          label={t('insights.month')}
          value={month}
          onChange={setMonth}
          options={months.map((value) => ({ value, text: formatMonth(value, locale) }))}
        />
        <Button busy={saving.isPending} onClick={() => saving.mutate()}>
          {t('statement.pdf')}
        </Button>
      </div>
      <Failure error={saving.error} />
    </>
  );
};
