import type { CurrencyBalance } from '@florin/client';
import { formatMoney } from '@florin/ui/format/money.ts';
import { ButtonLink } from '@florin/ui/parts/button.tsx';
import { Empty } from '@florin/ui/parts/empty.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { InIcon, ListIcon, OutIcon } from '@florin/ui/parts/icons.tsx';
import { Money } from '@florin/ui/parts/money.tsx';
import { Page } from '@florin/ui/parts/page.tsx';
import { ScreenLink } from '@florin/ui/parts/screen-link.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { accountQuery, balancesQuery, cardsQuery, paymentsQuery, pendingChallengesQuery } from '../api/queries.ts';
import { liveCards } from '../domain/cards.ts';
import { useTranslator } from '../i18n/i18n.ts';
import { CardPicture } from './cards/card-picture.tsx';
import { NextScreen } from './next/later.ts';
import { useNextStep } from './next/use-next-step.ts';
import { PaymentRow } from './payments/payment-row.tsx';

const SHOWN_PAYMENTS = 5;

type Translate = Pick<ReturnType<typeof useTranslator>, 't' | 'locale'>;

/** Other money of the person: reserved by shops, on its way in, on its way out. */
const moreOf = (row: CurrencyBalance, { t, locale }: Translate): string[] => {
  const format = (amount: string) => formatMoney({ amount, decimals: row.decimals, currency: row.currency }, locale);
  return [
    ...(row.nonSpendable === '0' ? [] : [t('home.held', { amount: format(row.nonSpendable) })]),
    ...(row.processingDeposits === '0' ? [] : [t('home.arriving', { amount: format(row.processingDeposits) })]),
    ...(row.processingWithdrawals === '0' ? [] : [t('home.leaving', { amount: format(row.processingWithdrawals) })]),
  ];
};

const Balance = () => {
  const { t, locale } = useTranslator();
  const balances = useQuery(balancesQuery);
  // Without a Safe on a chain nothing can be paid out.
  const paysOut = useQuery(accountQuery).data?.deployment !== undefined;
  if (balances.isError) return <Failure error={balances.error} onRetry={() => void balances.refetch()} />;
  const main = balances.data?.data[0];
  return (
    <section className="balance" aria-label={t('home.spendable')}>
      <h2 className="balance-label">{t('home.spendable')}</h2>
      {main === undefined ? (
        <span className="skeleton skeleton-display" />
      ) : (
        <p className="balance-amount">
          <Money amount={main.spendable} decimals={main.decimals} currency={main.currency} />
        </p>
      )}
      <p className="balance-more">
        {main === undefined ? null : moreOf(main, { t, locale }).map((text) => <span key={text}>{text}</span>)}
      </p>
      <div className="actions">
        <ButtonLink to="/account/deposit">
          <InIcon />
          {t('home.add')}
        </ButtonLink>
        {paysOut ? (
          <ButtonLink to="/account/withdraw">
            <OutIcon />
            {t('home.withdraw')}
          </ButtonLink>
        ) : null}
      </div>
    </section>
  );
};

const Pending = () => {
  const { t } = useTranslator();
  const pending = useQuery(pendingChallengesQuery);
  const waiting = (pending.data ?? []).filter(({ decisionAvailable }) => decisionAvailable);
  if (waiting.length === 0) return null;
  return (
    <section className="notice notice-warn">
      <h2>{t('home.pending', { count: waiting.length })}</h2>
      <ul className="rows">
        {waiting.map(({ id, merchant, amount, currency, decimals }) => (
          <li key={id}>
            <ScreenLink to="." search={{ approve: id }} state={{ isAbove: true }} className="row row-plain">
              <span>
                <span className="row-title">{merchant.displayName ?? t('payment.unnamed')}</span>
                <span className="small">{t('home.review')}</span>
              </span>
              <span className="strong">
                {amount === undefined || currency === undefined ? null : (
                  <Money amount={amount} decimals={decimals ?? 2} currency={currency} />
                )}
              </span>
            </ScreenLink>
          </li>
        ))}
      </ul>
    </section>
  );
};

const Latest = () => {
  const { t } = useTranslator();
  const payments = useInfiniteQuery(paymentsQuery());
  const balances = useQuery(balancesQuery);
  const isBroke = balances.data?.data.every(({ spendable }) => spendable === '0') === true;
  const rows = payments.data?.pages[0]?.data.slice(0, SHOWN_PAYMENTS) ?? [];
  return (
    <section className="panel">
      <div className="panel-head">
        <h2>{t('home.latest')}</h2>
        {rows.length === 0 ? null : (
          <ButtonLink to="/payments" search={{}} small kind="quiet">
            {t('app.all')}
          </ButtonLink>
        )}
      </div>
      {payments.isPending ? <SkeletonRows /> : null}
      <Failure error={payments.error} onRetry={() => void payments.refetch()} />
      {payments.isSuccess && rows.length === 0 ? (
        <Empty
          icon={<ListIcon />}
          title={isBroke ? t('home.fund_title') : t('home.no_payments')}
          hint={isBroke ? t('home.fund_lead') : t('home.no_payments_hint')}
        />
      ) : (
        <ul className="rows">
          {rows.map((payment) => (
            <li key={payment.id}>
              <PaymentRow payment={payment} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};

const MainCard = () => {
  const { t } = useTranslator();
  const cards = useQuery(cardsQuery);
  const [card] = liveCards(cards.data ?? []);
  if (cards.isPending) return <span className="skeleton skeleton-card" />;
  if (card === undefined) return null;
  return (
    <section className="stack" aria-label={t('home.card')}>
      <div className="card-list">
        <ScreenLink to="/cards/$cardId" params={{ cardId: card.id }} search={{}}>
          <CardPicture {...card} name={card.cardName} />
        </ScreenLink>
      </div>
    </section>
  );
};

/** Balance, card, latest payments and what waits for a decision; before that, the one thing to do. */
export const Home = () => {
  const { t } = useTranslator();
  const { step, error, retry } = useNextStep();
  const waiting = (
    <Page title={t('home.title')} quietTitle>
      {error === undefined || error === null ? <SkeletonRows rows={5} /> : <Failure error={error} onRetry={retry} />}
    </Page>
  );
  if (step === undefined) return waiting;
  if (step !== 'ready' && step !== 'sign_in' && step !== 'register') {
    return (
      <Suspense fallback={waiting}>
        <NextScreen step={step} />
      </Suspense>
    );
  }
  return (
    <Page title={t('home.title')} quietTitle>
      <Pending />
      <div className="columns">
        <div>
          <Balance />
          <Latest />
        </div>
        <div>
          <MainCard />
        </div>
      </div>
    </Page>
  );
};
