import type { Person } from '@florin/back-office/contract';
import { Button } from '@florin/ui/parts/button.tsx';
import { Facts } from '@florin/ui/parts/facts.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { Money } from '@florin/ui/parts/money.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { formatTime, Time } from '@florin/ui/parts/time.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { notesQuery, personPath, personQuery } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { ActionDialog } from '../../parts/action-dialog.tsx';
import { NoteForm, Notes } from '../../parts/notes.tsx';
import { State } from '../../parts/state.tsx';
import { Table } from '../../parts/table.tsx';
import { OrderMoney, type OrderSide } from '../money/order-money.tsx';
import { PersonRecovery } from './recovery.tsx';
import { Replacement } from './replacement.tsx';
import { PersonSummary } from './summary.tsx';

type Account = NonNullable<Person['account']>;

const Balances = ({ of }: { of: Account['balances'] }) => {
  const { t } = useTranslator();
  const columns = [
    ['spendable', t('file.spendable')],
    ['held', t('file.held')],
    ['processingDeposits', t('file.deposits_processing')],
    ['processingWithdrawals', t('file.withdrawals_processing')],
    ['debt', t('file.debt')],
  ] as const;
  return (
    <section className="panel">
      <h2>{t('file.balances')}</h2>
      <Table
        caption={t('file.balances')}
        rows={of}
        keyOf={({ currency }) => currency}
        columns={[
          { head: t('file.currency'), cell: ({ currency }) => currency },
          ...columns.map(([name, head]) => ({
            head,
            end: true,
            cell: (balance: Account['balances'][number]) => <Money {...balance} amount={balance[name]} />,
          })),
        ]}
      />
    </section>
  );
};

/** The actions on the account as a whole, by their paths in the person's file. */
const PATHS = { block: 'account/block', unblock: 'account/unblock', kyc: 'kyc/take-back' } as const;

type Asked = keyof typeof PATHS;

/** The actions on the account as a whole, with their questions. */
const Actions = ({ userId, person }: { userId: string; person: Person }) => {
  const { t } = useTranslator();
  const may = useMay();
  const [asked, setAsked] = useState<Asked>();
  const [ordered, setOrdered] = useState<OrderSide['side']>();
  const status = person.account?.status;
  const mayTakeBack = may('kyc.take-back') && person.kyc.status === 'approved';
  const account = person.account;
  const orders = account !== undefined && may('money.order') ? (['credit', 'debit'] as const) : [];
  if (!may('accounts.block') && !may('accounts.unblock') && !mayTakeBack && orders.length === 0) return null;
  return (
    <div className="actions actions-start">
      {may('accounts.block') && status === 'active' ? <Button onClick={() => setAsked('block')}>{t('do.block')}</Button> : null}
      {may('accounts.unblock') && status === 'blocked' ? <Button onClick={() => setAsked('unblock')}>{t('do.unblock')}</Button> : null}
      {mayTakeBack ? <Button onClick={() => setAsked('kyc')}>{t('do.kyc')}</Button> : null}
      {orders.map((side) => (
        <Button key={side} onClick={() => setOrdered(side)}>
          {t(`do.${side}`)}
        </Button>
      ))}
      {ordered === undefined || account === undefined ? null : (
        <OrderMoney given={{ side: ordered, accountId: account.id }} onClose={() => setOrdered(undefined)} />
      )}
      {asked === undefined ? null : (
        <ActionDialog
          title={t(`do.${asked}`)}
          lead={t(`do.${asked}_lead`)}
          action={t(`do.${asked}`)}
          danger={asked !== 'unblock'}
          path={`${personPath(userId)}/${PATHS[asked]}`}
          touches={[['people', userId]]}
          done={t(`do.${asked}_done`)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </div>
  );
};

const Wallets = ({ of }: { of: Person['user']['wallets'] }) => {
  const { t, locale } = useTranslator();
  return (
    <section className="panel">
      <h2>{t('file.wallets')}</h2>
      <ul className="stack">
        {of.map(({ address, isPrimary, approvesFrom }) => (
          <li key={address} className="stack-tight">
            <span className="mono">{address}</span>
            {isPrimary ? <span className="soft small">{t('file.wallet_main')}</span> : null}
            {approvesFrom === undefined ? null : (
              <span className="soft small">{t('file.wallet_from', { time: formatTime(approvesFrom, locale) })}</span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
};

const WhoItIs = ({ person: { user, kyc, onboarding } }: { person: Person }) => {
  const { t } = useTranslator();
  const may = useMay();
  return (
    <section className="panel">
      <h2>{t('file.person')}</h2>
      <Facts
        facts={[
          [t('find.by_email'), user.email],
          [t('find.registered'), <Time key="at" at={user.registeredAt} />],
          [
            t('file.partner'),
            may('partners.read') ? (
              <Link key="partner" to="/partners" search={{ partner: user.partnerId }}>
                {user.partnerId}
              </Link>
            ) : (
              user.partnerId
            ),
          ],
          [t('file.identity'), <State key="kyc" of={kyc.status} />],
          [t('file.onboarding'), <State key="onboarding" of={onboarding.status} />],
        ]}
      />
    </section>
  );
};

const AccountFacts = ({ account }: { account: Account | undefined }) => {
  const { t, word } = useTranslator();
  return (
    <section className="panel">
      <h2>{t('file.account')}</h2>
      {account === undefined ? (
        <p className="soft">{t('file.no_account')}</p>
      ) : (
        <Facts
          facts={[
            [t('office.status'), <State key="status" of={account.status} />],
            [
              t('file.reference'),
              <span key="reference" className="mono">
                {account.reference}
              </span>,
            ],
            [t('office.created'), <Time key="at" at={account.createdAt} />],
            ...account.tokenBlocks.map(
              ({ token, reason, since }) =>
                [
                  t('file.token_blocked', { token }),
                  <span key={`${token} ${reason}`}>
                    {word('file.token_', reason)} <Time at={since} look="short" />
                  </span>,
                ] as const,
            ),
            [t('file.network'), account.chainName],
            [
              t('file.safe'),
              <span key="safe" className="mono">
                {account.safeAddress}
              </span>,
            ],
            [
              t('file.owner'),
              <span key="owner" className="mono">
                {account.safeOwnerAddress}
              </span>,
            ],
            [
              t('office.id'),
              <span key="id" className="mono">
                {account.id}
              </span>,
            ],
          ]}
        />
      )}
    </section>
  );
};

/** What operators have noted about the person. */
const PersonNotes = ({ userId }: { userId: string }) => {
  const { t } = useTranslator();
  const found = useQuery(notesQuery(userId));
  return (
    <section className="panel">
      <h2>{t('notes.title')}</h2>
      <Failure error={found.error} onRetry={() => void found.refetch()} />
      {found.data === undefined ? null : <Notes of={found.data.notes} />}
      <NoteForm path={`${personPath(userId)}/notes`} touches={[['people', userId, 'notes']]} />
    </section>
  );
};

/** The first part of a file, which answers a caller: the money, what happened lately, and who it is. */
export const Account = () => {
  const { userId } = useParams({ from: '/people/$userId/' });
  const person = useQuery(personQuery(userId));
  if (person.isPending) return <SkeletonRows rows={5} />;
  if (person.isError) return <Failure error={person.error} onRetry={() => void person.refetch()} />;
  const { account, user } = person.data;
  return (
    <>
      <Actions userId={userId} person={person.data} />
      <PersonNotes userId={userId} />
      {account === undefined ? null : <Balances of={account.balances} />}
      <Replacement userId={userId} person={person.data} />
      <PersonSummary userId={userId} />
      {account === undefined ? null : <PersonRecovery userId={userId} />}
      <div className="halves">
        <AccountFacts account={account} />
        <div className="stack-wide">
          <WhoItIs person={person.data} />
          <Wallets of={user.wallets} />
        </div>
      </div>
    </>
  );
};
