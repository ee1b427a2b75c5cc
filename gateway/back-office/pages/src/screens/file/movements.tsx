import type { Deposit } from '@florin/back-office/contract';
import { formatMoney } from '@florin/ui/format/money.ts';
import { Button } from '@florin/ui/parts/button.tsx';
import { Money } from '@florin/ui/parts/money.tsx';
import { Time } from '@florin/ui/parts/time.tsx';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { fileQuery, personPath } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import type { Deposits as DepositsAnswer, Withdrawals as WithdrawalsAnswer } from '../../api/types.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { ActionDialog } from '../../parts/action-dialog.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { Short } from '../../parts/short.tsx';
import { State } from '../../parts/state.tsx';

type Asked = { what: 'accept' | 'reject'; deposit: Deposit };

const OUTCOMES = { accept: 'approved', reject: 'rejected' } as const;

const Resolving = ({ userId, asked: { what, deposit }, onClose }: { userId: string; asked: Asked; onClose: () => void }) => {
  const { t, locale } = useTranslator();
  return (
    <ActionDialog
      title={t(`do.${what}_title`, { amount: formatMoney(deposit.amount, locale) })}
      lead={t(`do.${what}_lead`)}
      action={t(`do.${what}`)}
      danger={what === 'reject'}
      confirms
      path={`${personPath(userId)}/deposits/${encodeURIComponent(deposit.id)}/resolve`}
      body={{ outcome: OUTCOMES[what] }}
      touches={[['people', userId]]}
      done={t(`do.${what}_done`)}
      onClose={onClose}
    />
  );
};

const Deposits = ({ userId }: { userId: string }) => {
  const { t } = useTranslator();
  const may = useMay();
  const deposits = useInfiniteQuery(fileQuery<DepositsAnswer>(userId, 'deposits'));
  const [asked, setAsked] = useState<Asked>();
  const actions = (deposit: Deposit) =>
    deposit.status === 'pending' ? (
      <span className="row-actions">
        <Button small onClick={() => setAsked({ what: 'accept', deposit })}>
          {t('do.accept')}
        </Button>
        <Button small onClick={() => setAsked({ what: 'reject', deposit })}>
          {t('do.reject')}
        </Button>
      </span>
    ) : null;
  return (
    <section className="panel">
      <h2>{t('file.deposits')}</h2>
      <PagedTable
        caption={t('file.deposits')}
        query={deposits}
        rowsOf={(answer) => answer.deposits}
        keyOf={({ id }) => id}
        none={t('file.no_deposits')}
        columns={[
          { head: t('office.time'), cell: ({ createdAt }) => <Time at={createdAt} look="short" /> },
          { head: t('overview.token'), cell: ({ token }) => token },
          { head: t('office.status'), cell: ({ status }) => <State of={status} /> },
          {
            head: t('file.screening'),
            cell: ({ screening }) => (screening === undefined ? '–' : `${screening.result}, ${screening.riskTier || screening.riskScore}`),
          },
          { head: t('file.transaction'), cell: ({ txHash }) => <Short text={txHash} /> },
          { head: t('office.amount'), end: true, cell: ({ amount }) => <Money {...amount} sign /> },
          ...(may('deposits.resolve') ? [{ head: ' ', end: true, cell: actions }] : []),
        ]}
      />
      {asked === undefined ? null : <Resolving userId={userId} asked={asked} onClose={() => setAsked(undefined)} />}
    </section>
  );
};

const Withdrawals = ({ userId }: { userId: string }) => {
  const { t } = useTranslator();
  const withdrawals = useInfiniteQuery(fileQuery<WithdrawalsAnswer>(userId, 'withdrawals'));
  return (
    <section className="panel">
      <h2>{t('file.withdrawals')}</h2>
      <PagedTable
        caption={t('file.withdrawals')}
        query={withdrawals}
        rowsOf={(answer) => answer.withdrawals}
        keyOf={({ id }) => id}
        none={t('file.no_withdrawals')}
        columns={[
          { head: t('office.time'), cell: ({ createdAt }) => <Time at={createdAt} look="short" /> },
          { head: t('overview.token'), cell: ({ token }) => token },
          { head: t('office.status'), cell: ({ status }) => <State of={status} /> },
          { head: t('file.to'), cell: ({ toAddress }) => <Short text={toAddress} /> },
          { head: t('file.transaction'), cell: ({ txHash }) => <Short text={txHash} /> },
          { head: t('office.amount'), end: true, cell: ({ amount }) => <Money {...amount} /> },
        ]}
      />
    </section>
  );
};

export const Movements = () => {
  const { userId } = useParams({ from: '/people/$userId/movements' });
  return (
    <>
      <Deposits userId={userId} />
      <Withdrawals userId={userId} />
    </>
  );
};
