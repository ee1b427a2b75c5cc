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
import { useState } from 'react';
import { paymentsQuery, rowsOf } from '../../api/queries.ts';
import { filterOf, type PaymentSearch, paymentSearchOf, SHOWN } from '../../domain/payment-search.ts';
import { categoryName, categoryOf } from '../../i18n/categories.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { PaymentRow } from './payment-row.tsx';
import { SearchPayments } from './search-payments.tsx';

/** Says what was looked for, and shows all payments again. */
const Found = ({ search: { show, ...search }, onClear }: { search: PaymentSearch; onClear: (rest: PaymentSearch) => void }) => {
  const { t, locale } = useTranslator();
  const { merchant, category, from, to } = search;
  const day = (value: string) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(value));
  const parts = [
    merchant ?? '',
    category === undefined ? '' : (categoryName(category, locale) ?? t('payment.category_code', { code: category })),
    from === undefined ? '' : t('payments.since', { day: day(from) }),
    to === undefined ? '' : t('payments.until', { day: day(to) }),
  ].filter((part) => part !== '');
  if (parts.length === 0) return null;
  return (
    <div className="list-head">
      <p>{parts.join(' · ')}</p>
      <Button small onClick={() => onClear(show === undefined ? {} : { show })}>
        {t('payments.clear')}
      </Button>
    </div>
  );
};

/** All card payments by day, newest first, or those that are looked for. */
export const Payments = () => {
  const { t, locale, word } = useTranslator();
  const navigate = useNavigate();
  const search = useSearch({ from: '/payments' });
  const { show = 'all', ...rest } = search;
  const payments = useInfiniteQuery(paymentsQuery(filterOf(search, (code) => categoryOf(code, locale)?.codes ?? code)));
  const rows = rowsOf(payments.data);
  const days = byDay(rows);
  const today = dayOf(new Date().toISOString());
  const [isSearching, setSearching] = useState(false);
  const go = (next: PaymentSearch) => void navigate({ to: '/payments', search: next, replace: true });
  return (
    <Page
      title={t('payments.title')}
      action={
        <div className="actions">
          <Button small kind="quiet" onClick={() => setSearching(true)}>
            {t('payments.search')}
          </Button>
          <ButtonLink to="/payments/insights" search={{}} small kind="quiet">
            {t('insights.title')}
          </ButtonLink>
        </div>
      }
    >
      <Segments
        legend={t('payments.filter')}
        value={show}
        onChange={(next) => go(paymentSearchOf({ ...rest, show: next }))}
        options={['all', ...SHOWN].map((value) => ({ value, text: word('payments.filter_', value) }))}
      />
      <Found search={search} onClear={go} />
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
      <ButtonLink to="/payments/approvals" search={{}} small kind="quiet">
        {t('approvals.title')}
      </ButtonLink>
      {isSearching ? (
        <SearchPayments
          search={search}
          onSearch={(next) => {
            setSearching(false);
            go(next);
          }}
          onClose={() => setSearching(false)}
        />
      ) : null}
    </Page>
  );
};
