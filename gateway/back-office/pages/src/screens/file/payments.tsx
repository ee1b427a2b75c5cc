import type { Payment } from '@florin/back-office/contract';
import { negate } from '@florin/ui/format/money.ts';
import { Money } from '@florin/ui/parts/money.tsx';
import { Time } from '@florin/ui/parts/time.tsx';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { fileQuery } from '../../api/queries.ts';
import type { Payments as Answer } from '../../api/types.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { PagedTable } from '../../parts/paged-table.tsx';
import { State } from '../../parts/state.tsx';

/** Payments in which no money moved in the end. */
const VOID = new Set(['declined', 'reversed', 'expired']);

/** A payment's amount as the account sees it: what was paid is negative. */
export const PaymentAmount = ({ of: { amount, isCredit, status } }: { of: Payment }) => (
  <Money {...amount} amount={isCredit ? amount.amount : negate(amount.amount)} sign isVoid={VOID.has(status)} />
);

export const Payments = () => {
  const { t, word } = useTranslator();
  const { userId } = useParams({ from: '/people/$userId/payments' });
  const payments = useInfiniteQuery(fileQuery<Answer>(userId, 'payments'));
  return (
    <section className="panel">
      <h2>{t('file.payments')}</h2>
      <PagedTable
        caption={t('file.payments')}
        query={payments}
        rowsOf={(answer) => answer.payments}
        keyOf={({ id }) => id}
        none={t('file.no_payments')}
        short
        columns={[
          {
            head: t('file.merchant'),
            line: 'begin',
            cell: ({ id, merchant }) => (
              <Link to="/people/$userId/payments/$paymentId" params={{ userId, paymentId: id }} preload={false}>
                {merchant.name}
              </Link>
            ),
          },
          { head: t('office.amount'), end: true, line: 'end', cell: (payment) => <PaymentAmount of={payment} /> },
          { head: t('office.time'), cell: ({ createdAt }) => <Time at={createdAt} look="short" /> },
          { head: t('file.kind'), line: 'none', cell: ({ kind }) => word('kind.', kind) },
          { head: t('office.status'), cell: ({ status }) => <State of={status} /> },
          {
            head: t('file.decline'),
            cell: ({ declineReason }) => (declineReason === undefined ? null : word('decline.', declineReason.code)),
          },
        ]}
      />
    </section>
  );
};
