import type { Settlement } from '@florin/back-office/contract';
import { Button } from '@florin/ui/parts/button.tsx';
import { Facts } from '@florin/ui/parts/facts.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { TextField } from '@florin/ui/parts/field.tsx';
import { Money } from '@florin/ui/parts/money.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { Time } from '@florin/ui/parts/time.tsx';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { dayCloseQuery, pagesOf, settlementQuery } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import type { ClosedDays as Days } from '../../api/types.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { ActionDialog } from '../../parts/action-dialog.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { Screen } from '../../parts/screen.tsx';
import { Short } from '../../parts/short.tsx';
import { Table } from '../../parts/table.tsx';
import { Verdict } from './verdict.tsx';

const Balances = ({ of: { positions, accounts } }: { of: Pick<Settlement, 'positions' | 'accounts'> }) => {
  const { t, word } = useTranslator();
  return (
    <>
      {positions.length === 0 ? (
        <p className="soft">{t('settlement.no_positions')}</p>
      ) : (
        <Table
          caption={t('settlement.positions')}
          rows={positions}
          keyOf={({ network, day, currency }) => `${network} ${day} ${currency}`}
          columns={[
            { head: t('settlement.network'), cell: ({ network }) => <span className="mono">{network}</span> },
            { head: t('settlement.day'), cell: ({ day }) => <span className="numbers">{day}</span> },
            { head: t('settlement.owed'), end: true, cell: (owed) => <Money {...owed} /> },
          ]}
        />
      )}
      {accounts.length === 0 ? null : (
        <Table
          caption={t('settlement.accounts')}
          rows={accounts}
          keyOf={({ account, currency }) => `${account} ${currency}`}
          columns={[
            { head: t('settlement.account'), cell: ({ account }) => word('settlement.account_', account) },
            { head: t('settlement.balance'), end: true, cell: (balance) => <Money {...balance} /> },
          ]}
        />
      )}
    </>
  );
};

/** A day that is closed, with what its signature covers: an auditor finds the same in the signed report. */
const ClosedDay = ({ day }: { day: string }) => {
  const { t, locale } = useTranslator();
  const { data: close, isPending, error, refetch } = useQuery(dayCloseQuery(day));
  return (
    <section className="panel">
      <h2>{t('settlement.closed_day', { day: close?.day ?? day })}</h2>
      {isPending ? <SkeletonRows rows={2} /> : null}
      <Failure error={error} onRetry={() => void refetch()} />
      {close === undefined ? null : (
        <>
          <Facts
            facts={[
              [t('settlement.closed_at'), <Time key="at" at={close.closedAt} />],
              [t('settlement.since'), close.previousDay === undefined ? undefined : <DayLink key="since" day={close.previousDay} />],
              [t('settlement.records'), new Intl.NumberFormat(locale).format(close.records)],
              [t('settlement.records_hash'), <Short key="hash" text={close.recordsHash} />],
              [t('settlement.block'), close.block],
              [t('settlement.previous_hash'), <Short key="previous" text={close.previousHash} />],
              [t('settlement.key'), <Short key="key" text={close.key} />],
              [t('settlement.signature'), <Short key="signature" text={close.signature} />],
            ]}
          />
          <Balances of={close} />
        </>
      )}
    </section>
  );
};

/** Shows a closed day by its date. */
const FindDay = ({ day, latest }: { day: string | undefined; latest: string | undefined }) => {
  const { t } = useTranslator();
  const navigate = useNavigate();
  const [typed, setTyped] = useState(day ?? latest ?? '');
  return (
    <form
      className="panel inline-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (typed !== '') void navigate({ to: '/settlement', search: { day: typed } });
      }}
    >
      <TextField type="date" label={t('settlement.day')} value={typed} onChange={setTyped} required />
      <Button type="submit">{t('settlement.show')}</Button>
    </form>
  );
};

/** The latest day that may be closed: yesterday, UTC. */
const yesterday = (): string => new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

const CloseDay = ({ closedDay, onClose }: { closedDay: string | undefined; onClose: () => void }) => {
  const { t } = useTranslator();
  const [day, setDay] = useState(yesterday);
  const isClosed = closedDay !== undefined && day <= closedDay;
  return (
    <ActionDialog
      title={t('settlement.close_title')}
      lead={t('settlement.close_lead')}
      action={t('settlement.close')}
      danger
      confirms={t('settlement.confirms')}
      path="/api/settlement/close"
      body={{ day }}
      touches={[['settlement']]}
      done={(closed) => t('settlement.close_done', { day: closed })}
      onClose={onClose}
    >
      <TextField
        type="date"
        label={t('settlement.day')}
        hint={isClosed ? t('settlement.closed_until', { day: closedDay }) : t('settlement.day_hint')}
        value={day}
        onChange={setDay}
        required
      />
    </ActionDialog>
  );
};

const Reports = ({ of }: { of: Settlement['reports'] }) => {
  const { t } = useTranslator();
  return (
    <section className="panel">
      <h2>{t('report.title')}</h2>
      {of.length === 0 ? (
        <p className="soft">{t('report.none')}</p>
      ) : (
        <Table
          caption={t('report.title')}
          rows={of}
          keyOf={({ digest }) => digest}
          columns={[
            { head: t('report.verdict'), cell: (verdict) => <Verdict of={verdict} /> },
            { head: t('report.digest'), cell: ({ digest }) => <Short text={digest} /> },
            { head: t('settlement.key'), cell: ({ key }) => <Short text={key} /> },
          ]}
        />
      )}
    </section>
  );
};

const DayLink = ({ day }: { day: string }) => (
  <Link to="/settlement" search={{ day }} className="numbers" preload={false}>
    {day}
  </Link>
);

/** The days that are closed, latest first. */
const ClosedDays = () => {
  const { t, locale } = useTranslator();
  const days = useInfiniteQuery(pagesOf<Days>(['settlement', 'days'], '/api/settlement/days'));
  return (
    <section className="panel">
      <h2>{t('settlement.days')}</h2>
      <PagedTable
        caption={t('settlement.days')}
        query={days}
        rowsOf={(answer) => answer.days}
        keyOf={({ day }) => day}
        none={t('settlement.none_closed')}
        columns={[
          { head: t('settlement.day'), cell: ({ day }) => <DayLink day={day} /> },
          { head: t('settlement.closed_at'), cell: ({ closedAt }) => <Time at={closedAt} look="short" /> },
          {
            head: t('settlement.records'),
            end: true,
            cell: ({ records }) => <span className="numbers">{new Intl.NumberFormat(locale).format(records)}</span>,
          },
        ]}
      />
    </section>
  );
};

/** The books between the program, the card networks and the bank. */
export const SettlementScreen = () => {
  const { t } = useTranslator();
  const may = useMay();
  const { day } = useSearch({ from: '/settlement' });
  const books = useQuery({ ...settlementQuery, enabled: may('money.read') });
  const [isClosing, setIsClosing] = useState(false);
  return (
    <Screen title={t('settlement.title')} needs="money.read">
      <section className="panel">
        <div className="list-head">
          <h2>{t('settlement.open')}</h2>
          {may('money.order') && books.data !== undefined ? (
            <Button onClick={() => setIsClosing(true)}>{t('settlement.close')}</Button>
          ) : null}
        </div>
        {books.isPending ? <SkeletonRows rows={3} /> : null}
        <Failure error={books.error} onRetry={() => void books.refetch()} />
        {books.data === undefined ? null : (
          <>
            <p className="soft">
              {books.data.closedDay === undefined
                ? t('settlement.none_closed')
                : t('settlement.closed_until', { day: books.data.closedDay })}
            </p>
            <Balances of={books.data} />
          </>
        )}
      </section>
      {books.data === undefined ? null : <FindDay key={day} day={day} latest={books.data.closedDay} />}
      {day === undefined ? null : <ClosedDay key={day} day={day} />}
      {books.data?.closedDay === undefined ? null : <ClosedDays />}
      {books.data === undefined ? null : <Reports of={books.data.reports} />}
      {isClosing ? <CloseDay closedDay={books.data?.closedDay} onClose={() => setIsClosing(false)} /> : null}
    </Screen>
  );
};
