import type { CardTransactionDetail } from '@florin/client';
import { BackLink } from '@florin/ui/parts/back-link.tsx';
import { Badge } from '@florin/ui/parts/badge.tsx';
import { Button } from '@florin/ui/parts/button.tsx';
import { Confirm } from '@florin/ui/parts/confirm.tsx';
import { Facts } from '@florin/ui/parts/facts.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { Money } from '@florin/ui/parts/money.tsx';
import { Page } from '@florin/ui/parts/page.tsx';
import { ScreenLink } from '@florin/ui/parts/screen-link.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { Time } from '@florin/ui/parts/time.tsx';
import { showToast } from '@florin/ui/parts/toast.tsx';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { cardsQuery, paymentQuery, refresh } from '../../api/queries.ts';
import { MAX_MERCHANT } from '../../domain/payment-search.ts';
import { canDispute, hasReceipt, isVoid, signedAmount } from '../../domain/payment-view.ts';
import { placeOf } from '../../domain/place.ts';
import { formatRate } from '../../domain/rate.ts';
import { categoryName } from '../../i18n/categories.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { DisputeForm } from './dispute-form.tsx';
import { Face, signOf } from './merchant-face.tsx';
import { Note } from './note.tsx';
import { usePaymentStates } from './payment-states.ts';
import { Receipt } from './receipt.tsx';
import { SaveReceipt } from './save-receipt.tsx';
import { Unrecognised } from './unrecognised.tsx';

const nonZero = (amount: string): boolean => amount !== '0';

const Details = ({ payment }: { payment: CardTransactionDetail }) => {
  const { t, word, locale } = useTranslator();
  const cards = useQuery(cardsQuery);
  const card = cards.data?.find(({ id }) => id === payment.cardId);
  const { decimals, currency, merchant } = payment;
  const money = (amount: string) => (nonZero(amount) ? <Money amount={amount} decimals={decimals} currency={currency} /> : undefined);
  const percent = new Intl.NumberFormat(locale, { style: 'percent', minimumFractionDigits: 2, signDisplay: 'exceptZero' });
  const cost = payment.conversionCost;
  const isForeign = payment.originalCurrency !== currency;
  /** The stage at the card network; of a dispute that was recorded before there were stages, its state. */
  const disputeWord = ({ stage, status }: NonNullable<typeof payment.dispute>) =>
    stage === undefined ? word('dispute.status_', status) : word('dispute.stage_', stage);
  const kindOf = (code: string) => categoryName(code, locale) ?? t('payment.category_code', { code });
  return (
    <Facts
      facts={[
        [t('payment.when'), <Time key="when" at={payment.createdAt} />],
        [t('payment.cleared'), payment.clearedAt === undefined ? undefined : <Time key="cleared" at={payment.clearedAt} />],
        [t('payment.card'), card === undefined ? undefined : `${card.cardName} · ${card.last4}`],
        [t('payment.where'), placeOf(merchant, locale)],
        [t('payment.category'), merchant.categoryCode === undefined ? undefined : kindOf(merchant.categoryCode)],
        [
          t('payment.original'),
          isForeign ? (
            <Money key="original" amount={payment.originalAmount} decimals={payment.originalDecimals} currency={payment.originalCurrency} />
          ) : undefined,
        ],
        [t('payment.rate'), payment.fx === undefined ? undefined : formatRate(payment.originalCurrency, payment.fx.rate, currency, locale)],
        [t('payment.markup'), payment.fx?.markupAmount === undefined ? undefined : money(payment.fx.markupAmount)],
        [t('payment.conversion_cost'), cost === undefined ? undefined : percent.format(cost.overReferenceBasisPoints / 10_000)],
        [t('payment.held'), money(payment.heldAmount)],
        [t('payment.hold_ends'), payment.expiresAt === undefined ? undefined : <Time key="expires" at={payment.expiresAt} look="day" />],
        [t('payment.cleared_amount'), money(payment.clearedAmount)],
        [t('payment.refunded_amount'), money(payment.refundedAmount)],
        [t('dispute.status'), payment.dispute === undefined ? undefined : disputeWord(payment.dispute)],
        [t('dispute.credit'), payment.dispute === undefined ? undefined : money(payment.dispute.creditedAmount)],
        [t('payment.authorization'), payment.authorizationCode],
      ]}
    />
  );
};

/** Takes a dispute back that has not ended. */
const Withdraw = ({ disputeId }: { disputeId: string }) => {
  const { t } = useTranslator();
  const [isAsking, setAsking] = useState(false);
  const withdrawing = useMutation({
    mutationFn: () => client.cards.withdrawCardDispute({ disputeId }),
    onSuccess: async () => {
      await refresh('payments', 'balances', 'movements');
      showToast(t('dispute.withdrawn'));
      setAsking(false);
    },
  });
  return (
    <div className="actions">
      <Button onClick={() => setAsking(true)}>{t('dispute.withdraw')}</Button>
      {isAsking ? (
        <Confirm
          title={t('dispute.withdraw_question')}
          lead={t('dispute.withdraw_lead')}
          action={t('dispute.withdraw')}
          busy={withdrawing.isPending}
          failure={withdrawing.error}
          onConfirm={() => withdrawing.mutate()}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </div>
  );
};

const Loaded = ({ payment }: { payment: CardTransactionDetail }) => {
  const { t, word } = useTranslator();
  const [opened, setOpened] = useState<'unknown' | 'dispute' | 'fraud'>();
  const states = usePaymentStates(payment);
  const { decimals, currency, declineReason } = payment;
  return (
    <div className="columns">
      <section className="panel">
        <div className="stack-tight">
          <p className="with-face soft">
            <Face sign={signOf(payment)} name={payment.merchant.name ?? ''} />
            {word('payment.kind_', payment.kind)}
          </p>
          <p className="approval-amount">
            <Money amount={signedAmount(payment)} decimals={decimals} currency={currency} sign isVoid={isVoid(payment)} />
          </p>
        </div>
        <p className="badges">
          {states.map(({ tone, text }) => (
            <Badge key={text} tone={tone}>
              {text}
            </Badge>
          ))}
        </p>
        {declineReason === undefined ? null : (
          <p className="notice notice-bad">{word('decline.', declineReason.code, t('decline.other'))}</p>
        )}
        <Details payment={payment} />
        {payment.relatedTransactionId === undefined ? null : (
          <ScreenLink to="/payments/$paymentId" params={{ paymentId: payment.relatedTransactionId }} search={{}}>
            {t('payment.related_show')}
          </ScreenLink>
        )}
        {payment.merchant.name === undefined ? null : (
          <ScreenLink to="/payments" search={{ merchant: payment.merchant.name.slice(0, MAX_MERCHANT) }}>
            {t('payment.same_merchant', { name: payment.merchant.name })}
          </ScreenLink>
        )}
        <Note payment={payment} />
        {hasReceipt(payment) ? <SaveReceipt payment={payment} /> : null}
        {payment.dispute?.status === 'submitted' ? <Withdraw disputeId={payment.dispute.id} /> : null}
        {payment.isCredit || payment.dispute !== undefined ? null : (
          <div className="actions">
            <Button onClick={() => setOpened('unknown')}>{t('unknown.open')}</Button>
            {canDispute(payment) ? <Button onClick={() => setOpened('dispute')}>{t('dispute.open')}</Button> : null}
          </div>
        )}
      </section>
      <div>
        {payment.threeDs === undefined ? null : <Receipt paymentId={payment.id} />}
        <section className="panel">
          <h2>{t('payment.history')}</h2>
          <ol className="rows">
            {payment.events.map((event) => (
              <li key={event.id} className="row row-plain">
                <span>
                  <span className="row-wrap">{word('payment.event_', event.type)}</span>
                  <span className="soft small">
                    <Time at={event.at} look="short" />
                  </span>
                  {/* That of the whole payment is above. */}
                  {event.declineReason === undefined || declineReason !== undefined ? null : (
                    <span className="soft small row-wrap">{word('decline.', event.declineReason.code, t('decline.other'))}</span>
                  )}
                </span>
                <span className="row-end">
                  {event.amount === undefined ? null : <Money amount={event.amount} decimals={decimals} currency={currency} />}
                  <span className="soft small">
                    {event.approved ? t('payment.event_ok') : t('payment.event_no', { code: event.responseCode ?? '?' })}
                  </span>
                </span>
              </li>
            ))}
          </ol>
        </section>
      </div>
      {opened === 'unknown' ? (
        <Unrecognised payment={payment} onDispute={() => setOpened('fraud')} onClose={() => setOpened(undefined)} />
      ) : null}
      {opened === 'dispute' || opened === 'fraud' ? (
        <DisputeForm payment={payment} {...(opened === 'fraud' && { suggested: 'fraud' as const })} onClose={() => setOpened(undefined)} />
      ) : null}
    </div>
  );
};

/** One payment with all that happened to it. */
export const PaymentScreen = () => {
  const { t } = useTranslator();
  const { paymentId } = useParams({ from: '/payments/$paymentId' });
  const payment = useQuery(paymentQuery(paymentId));
  return (
    <Page
      title={payment.data?.merchant.name ?? t('payment.details')}
      back={
        <BackLink to="/payments" search={{}}>
          {t('payments.title')}
        </BackLink>
      }
    >
      {payment.isPending ? <SkeletonRows rows={6} /> : null}
      <Failure error={payment.error} onRetry={() => void payment.refetch()} />
      {payment.data === undefined ? null : <Loaded key={payment.data.id} payment={payment.data} />}
    </Page>
  );
};
