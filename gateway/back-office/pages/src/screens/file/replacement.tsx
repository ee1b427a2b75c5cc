import type { Money as MoneyAmount, Person } from '@florin/back-office/contract';
import { Button } from '@florin/ui/parts/button.tsx';
import { Money } from '@florin/ui/parts/money.tsx';
import { useState } from 'react';
import { personPath } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { ActionDialog } from '../../parts/action-dialog.tsx';
import { type Asked, DecideOrder, useOrderColumns } from '../../parts/order-columns.tsx';
import { State } from '../../parts/state.tsx';
import { Table } from '../../parts/table.tsx';

type ReplacementOrder = Person['replacementOrders'][number];
type OfPerson = { userId: string; person: Person };

const Amounts = ({ of }: { of: readonly MoneyAmount[] }) => (
  <ul className="transfers">
    {of.map((one) => (
      <li key={one.currency}>
        <Money {...one} />
      </li>
    ))}
  </ul>
);

const FormerAccounts = ({ of }: { of: Person['formerAccounts'] }) => {
  const { t } = useTranslator();
  return (
    <section className="panel">
      <h2>{t('replace.former')}</h2>
      <Table
        caption={t('replace.former')}
        rows={of}
        keyOf={({ id }) => id}
        columns={[
          { head: t('office.status'), cell: ({ status }) => <State of={status} /> },
          { head: t('replace.left'), cell: ({ balances }) => <Amounts of={balances.map((one) => ({ ...one, amount: one.left }))} /> },
          { head: t('file.debt'), cell: ({ balances }) => <Amounts of={balances.map((one) => ({ ...one, amount: one.debt }))} /> },
          { head: t('file.safe'), cell: ({ safeAddress }) => <span className="mono wrap">{safeAddress}</span> },
          { head: t('office.id'), cell: ({ id }) => <span className="mono wrap">{id}</span> },
        ]}
      />
    </section>
  );
};

const Orders = ({ userId, person: { account, replacementOrders: orders } }: OfPerson) => {
  const { t } = useTranslator();
  const may = useMay();
  const [asked, setAsked] = useState<Asked<ReplacementOrder>>();
  const [isOrdering, setIsOrdering] = useState(false);
  const { time, others } = useOrderColumns<ReplacementOrder>(setAsked);
  const path = `${personPath(userId)}/replacements`;
  const touches = [['people', userId], ['overview']];
  const isOpen = orders.some(({ status }) => status === 'pending' || status === 'approved');
  const isOffered = account?.safeHistoryDiffers === true && !isOpen && may('chain.resolve');
  return (
    <section className="panel">
      <h2>{t('replace.title')}</h2>
      {account?.safeHistoryDiffers ? <p className="soft">{t('replace.lead')}</p> : null}
      {orders.length === 0 ? null : <Table caption={t('replace.title')} rows={orders} keyOf={({ id }) => id} columns={[time, ...others]} />}
      {isOffered ? (
        <div className="actions actions-start">
          <Button onClick={() => setIsOrdering(true)}>{t('replace.order')}</Button>
        </div>
      ) : null}
      {isOrdering ? (
        <ActionDialog
          title={t('replace.order')}
          lead={t('replace.order_lead')}
          action={t('replace.order')}
          confirms
          path={path}
          touches={touches}
          done={t('orders.ordered')}
          onClose={() => setIsOrdering(false)}
        />
      ) : null}
      {asked === undefined ? null : (
        <DecideOrder
          asked={asked}
          words={{
            approveTitle: t('replace.approve_title'),
            approveLead: t('replace.approve_lead', { reason: asked.order.reason }),
            approveDone: t('replace.approve_done'),
            approveFailed: t('replace.approve_failed'),
            rejectLead: t('replace.reject_lead'),
          }}
          path={path}
          touches={touches}
          onClose={() => setAsked(undefined)}
        />
      )}
    </section>
  );
};

/** The former accounts of a person, and the orders that the person gets another one: one operator orders, another approves. Nothing for most people. */
export const Replacement = ({ userId, person }: OfPerson) => (
  <>
    {person.account?.safeHistoryDiffers || person.replacementOrders.length > 0 ? <Orders userId={userId} person={person} /> : null}
    {person.formerAccounts.length === 0 ? null : <FormerAccounts of={person.formerAccounts} />}
  </>
);
