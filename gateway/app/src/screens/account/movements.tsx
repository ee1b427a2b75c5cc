import type { Deposit, Withdrawal } from '@florin/client';
import { negate } from '@florin/ui/format/money.ts';
import { Button } from '@florin/ui/parts/button.tsx';
import { CopyButton } from '@florin/ui/parts/copy-button.tsx';
import { Facts } from '@florin/ui/parts/facts.tsx';
import { Failure, SupportLink } from '@florin/ui/parts/failure.tsx';
import { InIcon, OutIcon } from '@florin/ui/parts/icons.tsx';
import { Money } from '@florin/ui/parts/money.tsx';
import { Sheet } from '@florin/ui/parts/sheet.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { Time } from '@florin/ui/parts/time.tsx';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { depositsQuery, rowsOf, withdrawalsQuery } from '../../api/queries.ts';
import { mergeNewest } from '../../domain/merge-newest.ts';
import { wasSent } from '../../domain/recipients.ts';
import { transactionUrl } from '../../environment.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { Address } from './address.tsx';
import { RecipientName } from './recipient-name.tsx';

type Movement = { createdAt: string } & ({ kind: 'deposit'; row: Deposit } | { kind: 'withdrawal'; row: Withdrawal });

/** States in which no money has moved, or it came back. */
const VOID = new Set(['rejected', 'failed']);

/** The amount with the sign of the account. */
const Amount = ({ kind, row }: Pick<Movement, 'kind' | 'row'>) => (
  <Money
    amount={kind === 'deposit' ? row.amount : negate(row.amount)}
    decimals={row.decimals}
    currency={row.currency}
    sign
    isVoid={VOID.has(row.status)}
  />
);

const Row = ({ movement, onOpen }: { movement: Movement; onOpen: () => void }) => {
  const { word } = useTranslator();
  const { kind, row } = movement;
  return (
    <li>
      <button type="button" className="row" onClick={onOpen}>
        <span className="face" aria-hidden="true">
          {kind === 'deposit' ? <InIcon /> : <OutIcon />}
        </span>
        <span>
          <span className="row-title">{word('movement.', kind)}</span>
          <span className="soft small">{word('movement.', row.status)}</span>
        </span>
        <span className="row-end">
          <span className="strong">
            <Amount {...movement} />
          </span>
          <span className="soft small">
            <Time at={row.createdAt} look="short" />
          </span>
        </span>
      </button>
    </li>
  );
};

/** One deposit or withdrawal: what it waits for or how it ended, and its transaction. */
const Details = ({ movement, onClose }: { movement: Movement; onClose: () => void }) => {
  const { t, word } = useTranslator();
  const { kind, row } = movement;
  const to = kind === 'withdrawal' ? row.to : undefined;
  const url = row.txHash === undefined ? undefined : transactionUrl(row.txHash);
  const needsHelp = row.status === 'pending' || row.status === 'rejected' || row.status === 'failed';
  return (
    <Sheet title={word('movement.', kind)} onClose={onClose}>
      <p className="approval-amount">
        <Amount {...movement} />
      </p>
      <p className={VOID.has(row.status) ? 'notice notice-bad' : 'notice'}>{word('movement.lead_', `${kind}_${row.status}`)}</p>
      <Facts
        facts={[
          [t('account.status'), word('movement.', row.status)],
          [t('withdraw.token'), row.token],
          [
            t('recipient.title'),
            to === undefined ? undefined : (
              <span key="to" className="mono">
                <Address address={to} />
              </span>
            ),
          ],
          [t('movement.seen'), <Time key="at" at={row.createdAt} />],
          [
            t('movement.transaction'),
            row.txHash === undefined ? undefined : (
              <span key="transaction" className="mono">
                {row.txHash}
              </span>
            ),
          ],
        ]}
      />
      {row.txHash === undefined ? null : <CopyButton text={row.txHash} label={t('movement.copy')} />}
      {url === undefined ? null : (
        <a href={url} target="_blank" rel="noreferrer">
          {t('movement.explorer')}
        </a>
      )}
      {kind === 'withdrawal' && to !== undefined && wasSent(row) ? <RecipientName address={to} /> : null}
      {needsHelp ? <SupportLink subject={row.id} /> : null}
    </Sheet>
  );
};

/** Deposits and withdrawals with their states, newest first. */
export const Movements = () => {
  const { t } = useTranslator();
  const deposits = useInfiniteQuery(depositsQuery);
  const withdrawals = useInfiniteQuery(withdrawalsQuery);
  const [opened, setOpened] = useState<Movement>();
  const rows = mergeNewest<Movement>(
    { rows: rowsOf(deposits.data).map((row) => ({ kind: 'deposit', row, createdAt: row.createdAt })), hasMore: deposits.hasNextPage },
    {
      rows: rowsOf(withdrawals.data).map((row) => ({ kind: 'withdrawal', row, createdAt: row.createdAt })),
      hasMore: withdrawals.hasNextPage,
    },
  );
  const unfinished = [deposits, withdrawals].filter(({ hasNextPage }) => hasNextPage);
  // A list that is read anew may lack an older one until its page is read again; the person may be typing its recipient's name.
  const shown = rows.find(({ row }) => row.id === opened?.row.id) ?? opened;
  return (
    <section className="panel">
      <h2>{t('account.movements')}</h2>
      {deposits.isPending || withdrawals.isPending ? <SkeletonRows rows={2} /> : null}
      <Failure error={deposits.error ?? withdrawals.error} onRetry={() => void Promise.all([deposits.refetch(), withdrawals.refetch()])} />
      {deposits.isSuccess && withdrawals.isSuccess && rows.length === 0 ? <p className="soft">{t('account.no_movements')}</p> : null}
      <ul className="rows">
        {rows.map((movement) => (
          <Row key={movement.row.id} movement={movement} onOpen={() => setOpened(movement)} />
        ))}
      </ul>
      {unfinished.length === 0 ? null : (
        <Button
          busy={unfinished.some(({ isFetchingNextPage }) => isFetchingNextPage)}
          onClick={() => void Promise.all(unfinished.map(({ fetchNextPage }) => fetchNextPage()))}
        >
          {t('app.more')}
        </Button>
      )}
      {shown === undefined ? null : <Details movement={shown} onClose={() => setOpened(undefined)} />}
    </section>
  );
};
