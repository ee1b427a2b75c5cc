import { Button } from '@florin/ui/parts/button.tsx';
import { TextField } from '@florin/ui/parts/field.tsx';
import { Money } from '@florin/ui/parts/money.tsx';
import { Time } from '@florin/ui/parts/time.tsx';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { pagesOf } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import type { CardException, CardExceptions } from '../../api/types.ts';
import { useFresh } from '../../api/use-fresh.ts';
import { readLedgerAccount } from '../../domain/ledger-account.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { ActionDialog } from '../../parts/action-dialog.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { Screen } from '../../parts/screen.tsx';
import { Short } from '../../parts/short.tsx';
import type { Column } from '../../parts/table.tsx';
import { OrderAccount } from '../money/order-account.tsx';

const DAY_MS = 86_400_000;

const useColumns = (): Column<CardException>[] => {
  const { t, word } = useTranslator();
  const ageOf = ({ createdAt }: CardException): string =>
    t('exceptions.days', { days: String(Math.floor((Date.now() - new Date(createdAt).getTime()) / DAY_MS)) });
  return [
    {
      head: t('office.time'),
      cell: (one) => (
        <>
          <Time at={one.createdAt} look="short" /> <span className="soft small">{ageOf(one)}</span>
        </>
      ),
    },
    {
      head: t('exceptions.kind'),
      cell: ({ kind, proposal }) => (
        <>
          {word('exceptions.kind_', kind)} <span className="soft small">{word('exceptions.proposal_', proposal)}</span>
        </>
      ),
    },
    {
      head: t('exceptions.event'),
      cell: ({ eventId, candidates }) => (
        <>
          <Short text={eventId} />
          {candidates.length === 0 ? null : (
            <span className="soft small wrap">{t('exceptions.fits', { payments: candidates.join(', ') })}</span>
          )}
        </>
      ),
    },
    { head: t('exceptions.account'), cell: ({ accountId }) => <span className="mono wrap">{accountId === '' ? '–' : accountId}</span> },
    {
      head: t('office.amount'),
      end: true,
      cell: ({ amount, original }) => {
        const shown = amount ?? original;
        return shown === undefined ? '–' : <Money {...shown} />;
      },
    },
    { head: t('exceptions.suspended'), end: true, cell: ({ suspended }) => (suspended === undefined ? '–' : <Money {...suspended} />) },
  ];
};

/** Ends an exception: as it stands, or by moving what is in suspense for it to an account. */
const Deciding = ({ exception, onClose }: { exception: CardException; onClose: () => void }) => {
  const { t } = useTranslator();
  const { id, accountId, suspended } = exception;
  const [account, setAccount] = useState(accountId);
  const given = readLedgerAccount(account.trim());
  const isCharge = suspended?.amount.startsWith('-') === true;
  const [debit, credit] = isCharge ? [account.trim(), 'suspense'] : ['suspense', account.trim()];
  const transfers = suspended === undefined ? [] : [{ ...suspended, debit, credit, amount: suspended.amount.replace('-', '') }];
  const moves = suspended !== undefined;
  return (
    <ActionDialog
      title={t('exceptions.decide')}
      lead={t(moves ? (isCharge ? 'exceptions.charge_lead' : 'exceptions.credit_lead') : 'exceptions.resolve_lead')}
      action={t(moves ? 'exceptions.book' : 'exceptions.resolve')}
      confirms
      path={`/api/card-exceptions/${id}/${moves ? 'book' : 'resolve'}`}
      body={moves ? { account: account.trim() } : {}}
      touches={[['card-exceptions'], ['adjustments'], ['overview'], ['money']]}
      done={(status) => t(status === 'resolved' ? 'exceptions.done' : 'exceptions.waits')}
      onClose={onClose}
    >
      {moves ? (
        <TextField
          label={t('exceptions.account')}
          hint={t('money.account_hint')}
          value={account}
          onChange={setAccount}
          autoComplete="off"
          spellCheck={false}
          required
          maxLength={64}
        />
      ) : null}
      {moves && 'owner' in given ? <OrderAccount accountId={given.owner} transfers={transfers} /> : null}
    </ActionDialog>
  );
};

/** Reports of the card network that a person has to look at, oldest first. */
export const ExceptionsScreen = () => {
  const { t } = useTranslator();
  const may = useMay();
  const columns = useColumns();
  const exceptions = useInfiniteQuery(pagesOf<CardExceptions>(['card-exceptions', 'open'], '/api/card-exceptions?status=open'));
  useFresh('exceptions', ['card-exceptions']);
  useFresh('settlement', ['card-exceptions']);
  const { item } = useSearch({ from: '/exceptions' });
  const [chosen, setChosen] = useState<CardException>();
  const decide = (exception: CardException) => (
    <Button small onClick={() => setChosen(exception)}>
      {t('exceptions.decide')}
    </Button>
  );
  return (
    <Screen title={t('exceptions.title')} needs="money.read">
      <section className="panel">
        <PagedTable
          caption={t('exceptions.title')}
          query={exceptions}
          rowsOf={(answer) => answer.exceptions}
          keyOf={({ id }) => id}
          none={t('exceptions.none')}
          marked={item}
          columns={[...columns, ...(may('money.order') ? [{ head: ' ', end: true, cell: decide }] : [])]}
        />
      </section>
      {chosen === undefined ? null : <Deciding exception={chosen} onClose={() => setChosen(undefined)} />}
    </Screen>
  );
};
