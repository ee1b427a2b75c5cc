import type { PaymentDetail } from '@florin/back-office/contract';
import { Facts } from '@florin/ui/parts/facts.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { Money } from '@florin/ui/parts/money.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { Time } from '@florin/ui/parts/time.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { paymentQuery } from '../../api/queries.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { State } from '../../parts/state.tsx';
import { Table } from '../../parts/table.tsx';
import { Decline } from './card-rules.tsx';
import { DisputePanel } from './disputes.tsx';
import { PaymentAmount } from './payments.tsx';

const named = (name: string | undefined) =>
  name === undefined ? undefined : (
    <span key={name} className="mono wrap">
      {name}
    </span>
  );

const PaymentFacts = ({ userId, of: payment }: { userId: string; of: PaymentDetail }) => {
  const { t, word } = useTranslator();
  const { merchant, amount, original, dispute, declineReason, challengeId, authorizationCode, retrievalReference, transactionId } = payment;
  const inAmount = (text: string) => <Money key="money" {...amount} amount={text} />;
  const isForeign = original.currency !== amount.currency;
  return (
    <section className="panel">
      <div className="panel-head">
        <h2>{merchant.name}</h2>
        <PaymentAmount of={payment} />
      </div>
      <Facts
        facts={[
          [t('office.status'), <State key="status" of={payment.status} />],
          [t('file.kind'), word('kind.', payment.kind)],
          [
            t('file.decline'),
            declineReason === undefined ? undefined : (
              <Decline key="decline" userId={userId} of={{ code: declineReason.code, cardId: payment.cardId }} />
            ),
          ],
          [t('file.merchant'), [merchant.name, merchant.city, merchant.country, merchant.categoryCode].filter(Boolean).join(', ')],
          [t('file.original'), isForeign ? <Money key="original" {...original} /> : undefined],
          [t('file.held'), inAmount(payment.held)],
          [t('file.held_until'), payment.holdExpiresAt === undefined ? undefined : <Time key="until" at={payment.holdExpiresAt} />],
          [t('file.cleared'), inAmount(payment.cleared)],
          [t('file.refunded'), inAmount(payment.refunded)],
          [
            t('file.dispute'),
            dispute === undefined ? undefined : `${word('dispute.status_', dispute.status)}: ${word('dispute.reason_', dispute.reason)}`,
          ],
          [
            t('file.approval_of'),
            challengeId === undefined ? undefined : (
              <Link key="challenge" to="/people/$userId/challenges/$challengeId" params={{ userId, challengeId }} preload={false}>
                {t('file.receipt')}
              </Link>
            ),
          ],
          [t('file.authorization_code'), named(authorizationCode)],
          [t('file.retrieval_reference'), named(retrievalReference)],
          [t('file.transaction_id'), named(transactionId)],
          [t('office.created'), <Time key="at" at={payment.createdAt} />],
          [t('office.id'), named(payment.id)],
        ]}
      />
    </section>
  );
};

/** A payment with all that happened to it. */
export const PaymentScreen = () => {
  const { t, word } = useTranslator();
  const { userId, paymentId } = useParams({ from: '/people/$userId/payments/$paymentId' });
  const payment = useQuery(paymentQuery(userId, paymentId));
  if (payment.isPending) return <SkeletonRows rows={5} />;
  if (payment.isError) return <Failure error={payment.error} onRetry={() => void payment.refetch()} />;
  const {
    events,
    ledgerEntries,
    amount: { decimals, currency },
  } = payment.data;
  return (
    <>
      <PaymentFacts userId={userId} of={payment.data} />
      {payment.data.disputes.map((dispute) => (
        <DisputePanel key={dispute.id} userId={userId} payment={payment.data} dispute={dispute} />
      ))}
      <section className="panel">
        <h2>{t('file.payment_events')}</h2>
        <Table
          caption={t('file.payment_events')}
          rows={events}
          keyOf={({ id }) => id}
          columns={[
            { head: t('office.time'), cell: ({ at }) => <Time at={at} look="short" /> },
            { head: t('file.event'), cell: ({ type }) => word('payment.event_', type) },
            { head: t('office.status'), cell: ({ approved }) => <State of={approved ? 'approved' : 'declined'} /> },
            {
              head: t('file.response'),
              cell: ({ responseCode, decline }) => (
                <>
                  {decline === undefined ? null : word('decline.', decline)} <span className="mono soft small">{responseCode || '–'}</span>
                </>
              ),
            },
            {
              head: t('office.amount'),
              end: true,
              cell: ({ amount }) => (/^-?\d+$/.test(amount) ? <Money amount={amount} decimals={decimals} currency={currency} /> : '–'),
            },
          ]}
        />
      </section>
      {ledgerEntries.length === 0 ? null : (
        <section className="panel">
          <h2>{t('file.ledger_entries')}</h2>
          <ul className="stack-tight">
            {ledgerEntries.map((id) => (
              <li key={id} className="mono">
                {id}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
};
