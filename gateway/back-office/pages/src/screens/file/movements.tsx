import type { Deposit } from '@florin/back-office/contract';
import { formatMoney } from '@florin/ui/format/money.ts';
import { Button } from '@florin/ui/parts/button.tsx';
import { Facts } from '@florin/ui/parts/facts.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { Money } from '@florin/ui/parts/money.tsx';
import { Time } from '@florin/ui/parts/time.tsx';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { fileQuery, personPath } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import type { Deposits as DepositsAnswer, Withdrawals as WithdrawalsAnswer } from '../../api/types.ts';
import { useReadOn } from '../../api/use-read-on.ts';
import { isOverruled } from '../../domain/is-overruled.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { ActionDialog } from '../../parts/action-dialog.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { Short } from '../../parts/short.tsx';
import { State } from '../../parts/state.tsx';

type Part = {
  userId: string;
  /** Id of the only row. */
  only: string | undefined;
};

const pathOf = (list: string, only: string | undefined): string => (only === undefined ? list : `${list}/${encodeURIComponent(only)}`);

type Asked = { what: 'accept' | 'reject'; deposit: Deposit };

const OUTCOMES = { accept: 'approved', reject: 'rejected' } as const;

/** The other deposits from the sender of one, counted by their outcome. */
const SameSender = ({ userId, of: { id, fromAddress } }: { userId: string; of: Deposit }) => {
  const { t } = useTranslator();
  const read = useInfiniteQuery(fileQuery<DepositsAnswer>(userId, 'deposits'));
  const isReading = useReadOn(read, true);
  if (read.isError) return <Failure error={read.error} onRetry={() => void read.refetch()} />;
  if (read.isPending || isReading) return t('app.loading');
  const all = read.data.pages.flatMap(({ deposits }) => deposits);
  const others = all.filter((other) => other.id !== id && other.fromAddress === fromAddress);
  const countOf = (state: string) => String(others.filter(({ status }) => status === state).length);
  const counted = t('file.same_sender_count', { count: others.length, accepted: countOf('approved'), rejected: countOf('rejected') });
  return read.hasNextPage ? `${counted}. ${t('file.same_sender_latest', { count: all.length })}` : counted;
};

type ResolvingProps = { userId: string; asked: Asked; onClose: () => void };

const Resolving = ({ userId, asked: { what, deposit }, onClose }: ResolvingProps) => {
  const { t, word, locale } = useTranslator();
  const { screening, fromAddress } = deposit;
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
    >
      <Facts
        facts={[
          [
            t('file.screening'),
            screening === undefined ? t('file.not_screened') : `${word('screening.', screening.result)}, ${screening.riskScore}`,
          ],
          [t('overview.token'), deposit.token],
          [
            t('file.from'),
            <span key="from" className="mono wrap">
              {fromAddress || '–'}
            </span>,
          ],
          [t('file.same_sender'), fromAddress === '' ? undefined : <SameSender key="same" userId={userId} of={deposit} />],
          [
            t('file.transaction'),
            <span key="hash" className="mono wrap">
              {deposit.txHash}
            </span>,
          ],
          [t('office.time'), <Time key="at" at={deposit.createdAt} />],
        ]}
      />
    </ActionDialog>
  );
};

const Deposits = ({ userId, only }: Part) => {
  const { t, word } = useTranslator();
  const may = useMay();
  const deposits = useInfiniteQuery(fileQuery<DepositsAnswer>(userId, pathOf('deposits', only)));
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
      <h2>{t(only === undefined ? 'file.deposits' : 'file.found_deposit')}</h2>
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
            cell: (deposit) => (
              <>
                {deposit.screening === undefined
                  ? t('file.not_screened')
                  : `${word('screening.', deposit.screening.result)}, ${deposit.screening.riskTier || deposit.screening.riskScore}`}
                {deposit.resolvedBy === undefined ? null : (
                  <>
                    {', '}
                    <span>{t(isOverruled(deposit) ? 'file.overruled_by' : 'file.decided_by', { name: deposit.resolvedBy })}</span>
                  </>
                )}
              </>
            ),
          },
          { head: t('file.from'), cell: ({ fromAddress }) => <Short text={fromAddress} /> },
          { head: t('file.transaction'), cell: ({ txHash }) => <Short text={txHash} /> },
          { head: t('office.amount'), end: true, cell: ({ amount }) => <Money {...amount} sign /> },
          ...(may('deposits.resolve') ? [{ head: ' ', end: true, cell: actions }] : []),
        ]}
      />
      {asked === undefined ? null : <Resolving userId={userId} asked={asked} onClose={() => setAsked(undefined)} />}
    </section>
  );
};

const Withdrawals = ({ userId, only }: Part) => {
  const { t } = useTranslator();
  const withdrawals = useInfiniteQuery(fileQuery<WithdrawalsAnswer>(userId, pathOf('withdrawals', only)));
  return (
    <section className="panel">
      <h2>{t(only === undefined ? 'file.withdrawals' : 'file.found_withdrawal')}</h2>
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

/** A person's deposits and withdrawals, or the one that a search has found. */
export const Movements = () => {
  const { t } = useTranslator();
  const { userId } = useParams({ from: '/people/$userId/movements' });
  const { deposit, withdrawal } = useSearch({ from: '/people/$userId/movements' });
  const isOne = deposit !== undefined || withdrawal !== undefined;
  return (
    <>
      {isOne && deposit === undefined ? null : <Deposits userId={userId} only={deposit} />}
      {isOne && withdrawal === undefined ? null : <Withdrawals userId={userId} only={withdrawal} />}
      {isOne ? (
        <p>
          <Link to="/people/$userId/movements" params={{ userId }} preload={false}>
            {t('file.all_movements')}
          </Link>
        </p>
      ) : null}
    </>
  );
};
