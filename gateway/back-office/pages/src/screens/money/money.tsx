import type { Adjustment } from '@florin/back-office/contract';
import { formatMoney } from '@florin/ui/format/money.ts';
import { Button } from '@florin/ui/parts/button.tsx';
import { Segments } from '@florin/ui/parts/field.tsx';
import { Time } from '@florin/ui/parts/time.tsx';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { pagesOf } from '../../api/queries.ts';
import { sessionQuery, useMay } from '../../api/session.ts';
import type { Adjustments } from '../../api/types.ts';
import { useFresh } from '../../api/use-fresh.ts';
import { readLedgerAccount } from '../../domain/ledger-account.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { ActionDialog } from '../../parts/action-dialog.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { Screen } from '../../parts/screen.tsx';
import { State } from '../../parts/state.tsx';
import { type Owners, Transfers, useAccountName } from '../../parts/transfers.tsx';
import { OrderAccount } from './order-account.tsx';
import { OrderMoney } from './order-money.tsx';

/** The effect of an order, in words. */
const useWhat = (owners: Owners) => {
  const { t, locale } = useTranslator();
  const nameOf = useAccountName();
  return ({ transfers, subject }: Adjustment): string => {
    if (subject !== undefined)
      return subject.kind === 'entry' ? t('money.reversal_entry', { id: subject.id }) : t('money.reversal_deposit', { id: subject.id });
    const sides = ({ debit, credit }: Adjustment['transfers'][number]) => ({ from: nameOf(debit, owners), to: nameOf(credit, owners) });
    return transfers.map((move) => `${formatMoney(move, locale)} ${t('money.from_to', sides(move))}`).join(', ');
  };
};

type Asked = { what: 'approve' | 'reject' | 'withdraw'; order: Adjustment };

/** The accounts of people that an order moves. */
const accountsOf = ({ transfers }: Adjustment): string[] => {
  const sides = transfers.flatMap(({ debit, credit }) => [readLedgerAccount(debit), readLedgerAccount(credit)]);
  return [...new Set(sides.flatMap((side) => ('owner' in side ? [side.owner] : [])))];
};

const Deciding = ({ asked: { what, order }, owners, onClose }: { asked: Asked; owners: Owners; onClose: () => void }) => {
  const { t, locale } = useTranslator();
  const toWords = useWhat(owners);
  const words = toWords(order);
  const [move, ...more] = order.transfers;
  return (
    <ActionDialog
      title={t(`money.${what}_title`)}
      lead={what === 'approve' ? t('money.approve_lead', { what: words, reason: order.reason }) : t('money.reject_lead', { what: words })}
      action={
        what === 'approve' && move !== undefined && more.length === 0
          ? t('money.approve_amount', { amount: formatMoney(move, locale) })
          : t(`money.${what}`)
      }
      danger={what !== 'approve'}
      confirms
      path={`/api/adjustments/${encodeURIComponent(order.id)}/${what === 'approve' ? 'approve' : 'reject'}`}
      touches={[['adjustments'], ['overview'], ['money']]}
      done={t(`money.${what}_done`)}
      onClose={onClose}
    >
      {what === 'approve'
        ? accountsOf(order).map((accountId) => <OrderAccount key={accountId} accountId={accountId} transfers={order.transfers} />)
        : null}
    </ActionDialog>
  );
};

const Orders = ({ status }: { status: string }) => {
  const { t, errorText } = useTranslator();
  const may = useMay();
  const me = useQuery(sessionQuery).data?.operator.id;
  const orders = useInfiniteQuery(
    pagesOf<Adjustments>(['adjustments', status], `/api/adjustments${status === '' ? '' : `?status=${status}`}`),
  );
  useFresh('orders', ['adjustments']);
  const owners: Owners = new Map(orders.data?.pages.flatMap((page) => page.owners.map((owner) => [owner.accountId, owner])));
  const toWords = useWhat(owners);
  const { item } = useSearch({ from: '/money' });
  const [asked, setAsked] = useState<Asked>();
  const decide = (order: Adjustment) => {
    if (order.status !== 'pending') return null;
    if (order.actor === `operator:${me}`)
      return (
        <span className="row-actions">
          <span className="soft small">{t('money.own')}</span>
          {may('money.approve') ? (
            <Button small onClick={() => setAsked({ what: 'withdraw', order })}>
              {t('money.withdraw')}
            </Button>
          ) : null}
        </span>
      );
    return may('money.approve') ? (
      <span className="row-actions">
        <Button small kind="primary" onClick={() => setAsked({ what: 'approve', order })}>
          {t('money.approve')}
        </Button>
        <Button small onClick={() => setAsked({ what: 'reject', order })}>
          {t('money.reject')}
        </Button>
      </span>
    ) : null;
  };
  return (
    <>
      <PagedTable
        caption={t('money.title')}
        query={orders}
        rowsOf={(answer) => answer.adjustments}
        keyOf={({ id }) => id}
        none={t(status === 'pending' ? 'money.none' : 'money.none_all')}
        marked={item}
        columns={[
          { head: t('office.time'), cell: ({ createdAt }) => <Time at={createdAt} look="short" /> },
          { head: t('office.status'), cell: ({ status: state }) => <State of={state} /> },
          {
            head: t('file.moves'),
            cell: (order) => (order.subject === undefined ? <Transfers of={order.transfers} owners={owners} /> : toWords(order)),
          },
          { head: t('money.ordered_by'), cell: ({ actor, actorName }) => actorName ?? <span className="mono">{actor}</span> },
          {
            head: t('office.reason'),
            cell: ({ reason, failureCode }) =>
              failureCode === '' ? reason : `${reason} · ${errorText(failureCode) ?? t('money.failed', { code: failureCode })}`,
          },
          ...(status === 'pending'
            ? []
            : [
                {
                  head: t('money.decided_by'),
                  cell: ({ decidedBy = '–', rejectionReason }: Adjustment) =>
                    rejectionReason === '' ? decidedBy : `${decidedBy}: ${rejectionReason}`,
                },
              ]),
          { head: ' ', end: true, cell: decide },
        ]}
      />
      {asked === undefined ? null : <Deciding asked={asked} owners={owners} onClose={() => setAsked(undefined)} />}
    </>
  );
};

/** Orders that move money: one operator orders, another approves. */
export const MoneyScreen = () => {
  const { t } = useTranslator();
  const may = useMay();
  const [status, setStatus] = useState('pending');
  const [isOrdering, setOrdering] = useState(false);
  return (
    <Screen
      title={t('money.title')}
      needs="money.read"
      action={
        may('money.order') ? (
          <Button kind="primary" onClick={() => setOrdering(true)}>
            {t('money.order')}
          </Button>
        ) : undefined
      }
    >
      <section className="panel">
        <div className="list-head">
          <p className="soft">{t('money.lead')}</p>
          <Segments
            legend={t('money.filter')}
            value={status}
            onChange={setStatus}
            options={[
              { value: 'pending', text: t('money.waiting') },
              { value: '', text: t('money.all') },
            ]}
          />
        </div>
        <Orders key={status} status={status} />
      </section>
      {isOrdering ? <OrderMoney onClose={() => setOrdering(false)} /> : null}
    </Screen>
  );
};
