import type { Trends } from '@florin/back-office/contract';
import { TREND_DAYS, type TrendDays } from '@florin/back-office/contract/trend-days';
import { formatMoney } from '@florin/ui/format/money.ts';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { Segments } from '@florin/ui/parts/field.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { trendsQuery } from '../api/queries.ts';
import { useTranslator } from '../i18n/i18n.ts';
import { Bars } from '../parts/bars.tsx';
import { DayColumns, formatDay } from '../parts/day-columns.tsx';

const sumOf = (rows: readonly { count: number }[]): number => rows.reduce((sum, { count }) => sum + count, 0);

/** A part of the trends, or that it could not be read. */
const Part = ({ title, isThere, children }: { title: string; isThere: boolean; children: ReactNode }) => {
  const { t } = useTranslator();
  return (
    <section className="panel">
      <h3>{title}</h3>
      {isThere ? children : <p className="soft">{t('trends.unavailable')}</p>}
    </section>
  );
};

const SignUps = ({ of }: { of: Trends['signUps'] }) => {
  const { t, locale } = useTranslator();
  const count = sumOf(of);
  const top = of.reduce((best, one) => (one.count > best.count ? one : best), { day: '', count: 0 });
  const most = new Intl.NumberFormat(locale).format(top.count);
  return (
    <>
      <p>{count === 0 ? t('trends.no_sign_ups') : t('trends.signed_up', { count, day: formatDay(top.day, locale), most })}</p>
      <DayColumns caption={t('trends.sign_ups')} head={t('trends.sign_ups_head')} days={of} />
    </>
  );
};

const Payments = ({ of: { approved, declined } }: { of: Trends['payments'] }) => {
  const { t, word, locale } = useTranslator();
  const number = new Intl.NumberFormat(locale);
  const refused = sumOf(declined);
  if (approved + refused === 0) return <p>{t('trends.no_payments')}</p>;
  const values = { count: approved + refused, approved: number.format(approved), declined: number.format(refused) };
  const reasons = declined.map(({ reason, count }) => ({ name: word('decline.', reason), count }));
  return (
    <>
      <p>{t('trends.paid', values)}</p>
      <Bars caption={t('trends.rate')} rows={[{ name: t('trends.approved'), count: approved }, ...reasons]} />
    </>
  );
};

/** The sum of approved payments and the number of declined ones, day by day. */
const Volumes = ({ of: { volumes, currency, decimals } }: { of: Trends['payments'] }) => {
  const { t, locale } = useTranslator();
  const money = (amount: string): string => formatMoney({ amount, currency, decimals }, locale);
  const total = volumes.reduce((sum, { amount }) => sum + BigInt(amount), 0n).toString();
  const approved = volumes.reduce((sum, one) => sum + one.approved, 0);
  return (
    <>
      <p>{t('trends.volume', { count: approved, amount: money(total) })}</p>
      <DayColumns
        caption={t('trends.volumes')}
        head={t('office.amount')}
        days={volumes.map(({ day, amount }) => ({ day, count: Number(amount), text: money(amount) }))}
      />
      <h4>{t('trends.declined_days')}</h4>
      <DayColumns
        caption={t('trends.declined_days')}
        head={t('trends.declined_head')}
        days={volumes.map(({ day, declined: count }) => ({ day, count }))}
      />
    </>
  );
};

const Challenges = ({ of }: { of: Trends['challenges'] }) => {
  const { t, word } = useTranslator();
  const rows = Object.entries(of).map(([became, count]) => ({ name: word('trends.became_', became), count }));
  const count = sumOf(rows);
  if (count === 0) return <p>{t('trends.no_challenges')}</p>;
  return (
    <>
      <p>{t('trends.asked', { count })}</p>
      <Bars caption={t('trends.challenges')} rows={rows.filter((row) => row.count > 0)} />
    </>
  );
};

/** The last days of the program, as many as the reader chooses. */
export const TrendsOfDays = () => {
  const { t } = useTranslator();
  const [days, setDays] = useState<TrendDays>(7);
  const trends = useQuery({ ...trendsQuery(days), placeholderData: keepPreviousData });
  const isThere = (part: string): boolean => trends.data?.unavailable.includes(part) === false;
  return (
    <section className="stack-wide" aria-busy={trends.isFetching}>
      <div className="list-head">
        <div>
          <h2>{t('trends.title')}</h2>
          <p className="soft small">{t('trends.zone')}</p>
        </div>
        <Segments
          legend={t('trends.period')}
          value={String(days)}
          onChange={(value) => setDays(TREND_DAYS.find((one) => String(one) === value) ?? 7)}
          options={TREND_DAYS.map((count) => ({ value: String(count), text: t('trends.days', { count }) }))}
        />
      </div>
      {trends.isPending ? <SkeletonRows rows={4} /> : null}
      <Failure error={trends.error} onRetry={() => void trends.refetch()} />
      {trends.data === undefined ? null : (
        <div className="trends">
          <Part title={t('trends.sign_ups')} isThere={isThere('signUps')}>
            <SignUps of={trends.data.signUps} />
          </Part>
          <Part title={t('trends.payments')} isThere={isThere('payments')}>
            <Payments of={trends.data.payments} />
          </Part>
          <Part title={t('trends.volumes')} isThere={isThere('payments')}>
            <Volumes of={trends.data.payments} />
          </Part>
          <Part title={t('trends.challenges')} isThere={isThere('challenges')}>
            <Challenges of={trends.data.challenges} />
          </Part>
        </div>
      )}
    </section>
  );
};
