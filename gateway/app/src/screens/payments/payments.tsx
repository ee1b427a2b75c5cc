import { byDay, dayOf, formatDay } from '@florin/ui/format/days.ts';
import { Button, ButtonLink } from '@florin/ui/parts/button.tsx';
import { Empty } from '@florin/ui/parts/empty.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { Segments } from '@florin/ui/parts/field.tsx';
import { ListIcon } from '@florin/ui/parts/icons.tsx';
import { Page } from '@florin/ui/parts/page.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type PaymentFilter, paymentsQuery } from '../../api/queries.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import type { Shown } from '../../router.tsx';
import { PaymentRow } from './payment-row.tsx';

const FILTERS = ['all', 'pending', 'settled', 'declined'] as const;
type Filter = (typeof FILTERS)[number];

const filterOf = (filter: Filter): PaymentFilter => (filter === 'all' ? {} : { status: filter });

/** All card payments by day, newest first. */
export const Payments = () => {
  const { t, locale, word } = useTranslator();
  const navigate = useNavigate();
  const { show: filter = 'all' } = useSearch({ from: '/payments' });
  const payments = useInfiniteQuery(paymentsQuery(filterOf(filter)));
  const days = byDay(payments.data?.pages.flatMap(({ data }) => data) ?? []);
  const today = dayOf(new Date().toISOString());
  return (
    <Page
      title={t('payments.title')}
      action={
        <ButtonLink to="/payments/insights" search={{}} small kind="quiet">
          {t('insights.title')}
        </ButtonLink>
      }
    >
      <Segments
        legend={t('payments.filter')}
        value={filter}
        onChange={(next) => void navigate({ to: '/payments', search: next === 'all' ? {} : { show: next as Shown }, replace: true })}
        options={FILTERS.map((value) => ({ value, text: word('payments.filter_', value) }))}
      />
      <section className="panel" aria-busy={payments.isFetching}>
        {payments.isPending ? <SkeletonRows rows={6} /> : null}
        <Failure error={payments.error} onRetry={() => void payments.refetch()} />
        {payments.isSuccess && days.length === 0 ? (
          <Empty icon={<ListIcon />} title={t('payments.none')} hint={t('home.no_payments_hint')} />
        ) : (
          <div className="rows">
            {days.map(({ day, rows }) => (
              <section key={day} className="rows">
                <h2 className="day">{formatDay(day, today, locale)}</h2>
                <ul className="rows">
                  {rows.map((payment) => (
                    <li key={payment.id}>
                      <PaymentRow payment={payment} time="clock" />
                    </li>
                  ))}
                </ul>
              </section>
            ))}
          </div>
        )}
        {payments.hasNextPage ? (
          <Button busy={payments.isFetchingNextPage} onClick={() => void payments.fetchNextPage()}>
            {t('app.more')}
          </Button>
        ) : null}
      </section>
    </Page>
  );
};
