import type { CardTransaction } from '@florin/client';
import { formatMonth } from '@florin/ui/format/days.ts';
import { BackLink } from '@florin/ui/parts/back-link.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { Segments } from '@florin/ui/parts/field.tsx';
import { Money } from '@florin/ui/parts/money.tsx';
import { Page } from '@florin/ui/parts/page.tsx';
import { ScreenLink } from '@florin/ui/parts/screen-link.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { useQueries } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { monthQuery } from '../../api/queries.ts';
import { MAX_ROWS } from '../../api/read-rows.ts';
import { monthsUpTo, type Spending, shareOf, spendingBy, totalOf } from '../../domain/spending.ts';
import { categoryName, categorySign } from '../../i18n/categories.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { Face } from './merchant-face.tsx';

const MONTHS = 6;

/** The grid of the drawing; text is as large as elsewhere on a phone. */
const [WIDTH, HEIGHT, LABEL] = [360, 150, 22];
const COLUMN = WIDTH / MONTHS;

const largestOf = (sums: readonly Spending[]): bigint => sums.reduce((most, { spent }) => (spent > most ? spent : most), 0n);

type Month = Spending & { month: string };

/** A column for each month. Decoration: the table beside it has the same sums. */
const MonthChart = ({ months, chosen }: { months: readonly Month[]; chosen: string }) => {
  const { locale } = useTranslator();
  const largest = largestOf(months);
  return (
    <svg className="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      {months.map(({ month, spent }, index) => {
        const height = (HEIGHT - LABEL) * shareOf(spent, largest);
        const look = month === chosen ? 'chart-chosen' : undefined;
        return (
          <g key={month} className={look}>
            <rect x={index * COLUMN + COLUMN * 0.2} y={HEIGHT - LABEL - height} width={COLUMN * 0.6} height={height} rx="4" />
            <text x={(index + 0.5) * COLUMN} y={HEIGHT - 6} textAnchor="middle">
              {formatMonth(month, locale, 'short')}
            </text>
          </g>
        );
      })}
      <line x1="0" x2={WIDTH} y1={HEIGHT - LABEL} y2={HEIGHT - LABEL} />
    </svg>
  );
};

type InCurrency = { currency: string; decimals: number };

const MonthTable = ({ months, chosen, currency, decimals }: InCurrency & { months: readonly Month[]; chosen: string }) => {
  const { t, locale } = useTranslator();
  return (
    <table aria-labelledby="by-month">
      <thead>
        <tr>
          <th scope="col">{t('insights.month')}</th>
          <th scope="col" className="cell-end">
            {t('payments.title')}
          </th>
          <th scope="col" className="cell-end">
            {t('insights.spent')}
          </th>
        </tr>
      </thead>
      <tbody>
        {months.toReversed().map(({ month, count, spent }) => (
          <tr key={month}>
            <td>
              <ScreenLink to="/payments/insights" search={{ month }} replace aria-current={month === chosen}>
                {formatMonth(month, locale)}
              </ScreenLink>
            </td>
            <td className="cell-end soft">{count}</td>
            <td className="cell-end strong">
              <Money amount={`${spent}`} decimals={decimals} currency={currency} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

/** Categories with their sums, and a line as long as their share. */
const CategoryTable = ({ payments, currency, decimals }: InCurrency & { payments: readonly CardTransaction[] }) => {
  const { t, locale } = useTranslator();
  const nameOf = ({ merchant: { categoryCode = '' } }: CardTransaction) => categoryName(categoryCode, locale) ?? t('insights.other');
  const categories = spendingBy(payments, nameOf);
  const signs = new Map(payments.map((payment) => [nameOf(payment), categorySign(payment.merchant.categoryCode ?? '')]));
  const largest = largestOf(categories);
  return (
    <table aria-labelledby="by-category">
      <thead>
        <tr>
          <th scope="col">{t('payment.category')}</th>
          <th scope="col" className="cell-end">
            {t('insights.spent')}
          </th>
        </tr>
      </thead>
      <tbody>
        {categories.map(({ name, count, spent }) => (
          <tr key={name}>
            <td className="wrap">
              <span className="with-face">
                <Face sign={signs.get(name)} name={name} />
                {name}
              </span>
              <svg className="share" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
                <rect width={100 * shareOf(spent, largest)} height="4" />
              </svg>
            </td>
            <td className="cell-end">
              <span className="strong">
                <Money amount={`${spent}`} decimals={decimals} currency={currency} />
              </span>
              <br />
              <span className="soft small">{t('insights.count', { count })}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

/** What was paid by card in the last months, and by category in one of them. Currencies are not added up with each other. */
export const Insights = () => {
  const { t, locale } = useTranslator();
  const { month: asked = '' } = useSearch({ from: '/payments/insights' });
  const [wanted, setWanted] = useState<string>();
  const names = monthsUpTo(new Date(), MONTHS);
  const chosen = names.includes(asked) ? asked : (names.at(-1) ?? '');
  const read = useQueries({ queries: names.map(monthQuery) });
  const all = read.flatMap(({ data }) => data?.payments ?? []);
  const currencies = [...Map.groupBy(all, ({ currency }) => currency)].toSorted(([, one], [, other]) => other.length - one.length);
  const [currency = 'EUR', [{ decimals } = { decimals: 2 }] = []] = currencies.find(([name]) => name === wanted) ?? currencies[0] ?? [];
  const inCurrency = (payments: readonly CardTransaction[] = []) => payments.filter((payment) => payment.currency === currency);
  const months = names.map((month, index) => ({ month, ...totalOf(inCurrency(read[index]?.data?.payments)) }));
  const payments = inCurrency(read[names.indexOf(chosen)]?.data?.payments);
  const failed = read.find(({ isError }) => isError);
  const isPending = read.some((one) => one.isPending);
  return (
    <Page
      title={t('insights.title')}
      back={
        <BackLink to="/payments" search={{}}>
          {t('payments.title')}
        </BackLink>
      }
    >
      <p className="soft">{t('insights.lead')}</p>
      {failed === undefined ? null : (
        <Failure error={failed.error} onRetry={() => void Promise.all(read.map(({ refetch }) => refetch()))} />
      )}
      {currencies.length < 2 ? null : (
        <Segments
          legend={t('withdraw.token')}
          value={currency}
          onChange={setWanted}
          options={currencies.map(([name]) => ({ value: name, text: name }))}
        />
      )}
      {isPending ? <SkeletonRows rows={6} /> : null}
      {isPending || failed !== undefined ? null : (
        <div className="columns">
          <section className="panel">
            <h2 id="by-month">{t('insights.months')}</h2>
            <MonthChart months={months} chosen={chosen} />
            <MonthTable months={months} chosen={chosen} currency={currency} decimals={decimals} />
            {read.every(({ data }) => data?.isWhole !== false) ? null : (
              <p className="soft small">{t('insights.cut', { count: MAX_ROWS })}</p>
            )}
          </section>
          <section className="panel">
            <h2 id="by-category">{formatMonth(chosen, locale)}</h2>
            {totalOf(payments).count === 0 ? (
              <p className="soft">{t('insights.none')}</p>
            ) : (
              <CategoryTable payments={payments} currency={currency} decimals={decimals} />
            )}
          </section>
        </div>
      )}
    </Page>
  );
};
