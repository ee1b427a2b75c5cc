import type { Recovery } from '@florin/back-office/contract';
import { Badge } from '@florin/ui/parts/badge.tsx';
import { Facts } from '@florin/ui/parts/facts.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { formatTime, Time } from '@florin/ui/parts/time.tsx';
import { useQuery } from '@tanstack/react-query';
import { recoveryQuery } from '../../api/queries.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { Short } from '../../parts/short.tsx';
import { State } from '../../parts/state.tsx';
import { Table } from '../../parts/table.tsx';

type Transaction = Recovery['transactions'][number];

/** The state of a transaction, and until when or from when something can be done. */
const Progress = ({ of: { status, isStuck, executableAt, expiresAt } }: { of: Transaction }) => {
  const { t, locale } = useTranslator();
  const at = (time: string | undefined) => (time === undefined ? '' : formatTime(time, locale, 'short'));
  return (
    <span className="stack-tight">
      <span>
        <State of={status} /> {isStuck ? <Badge tone="bad">{t('recovery.stuck')}</Badge> : null}
      </span>
      {status === 'waiting' ? <span className="soft small">{t('recovery.from', { time: at(executableAt) })}</span> : null}
      {status === 'executable' ? <span className="soft small">{t('recovery.until', { time: at(expiresAt) })}</span> : null}
    </span>
  );
};

/** The keys of a transaction: the backup key that is named, or the owners that are exchanged. */
const Keys = ({ of: { backupKey, formerOwner, newOwner } }: { of: Transaction }) =>
  newOwner === undefined ? (
    <Short text={backupKey ?? ''} />
  ) : (
    <span>
      <Short text={formerOwner ?? ''} /> → <Short text={newOwner} />
    </span>
  );

/** The calls that the relayer has sent for a transaction. */
const Calls = ({ of: { calls } }: { of: Transaction }) => {
  const { t, word } = useTranslator();
  if (calls.length === 0) return '–';
  return (
    <span className="stack-tight">
      {calls.map(({ step, txHash, isStuck }) => (
        <span key={step}>
          {word('recovery.step_', step)} <Short text={txHash ?? ''} />{' '}
          {isStuck ? <span className="soft small">{t('recovery.in_vain')}</span> : null}
        </span>
      ))}
    </span>
  );
};

/** The backup key of the account, and how far its recovery is. */
export const PersonRecovery = ({ userId }: { userId: string }) => {
  const { t, word } = useTranslator();
  const found = useQuery(recoveryQuery(userId));
  const { backupKey, transactions = [] } = found.data ?? {};
  return (
    <section className="panel">
      <h2>{t('recovery.title')}</h2>
      {found.isPending ? <SkeletonRows /> : null}
      <Failure error={found.error} onRetry={() => void found.refetch()} />
      {found.data !== undefined && backupKey === undefined ? <p className="soft">{t('recovery.no_backup_key')}</p> : null}
      {backupKey === undefined ? null : (
        <Facts
          facts={[
            [
              t('recovery.backup_key'),
              <span key="key" className="mono">
                {backupKey.address}
              </span>,
            ],
            [t('recovery.named'), backupKey.namedAt === undefined ? '' : <Time key="at" at={backupKey.namedAt} />],
          ]}
        />
      )}
      {transactions.length === 0 ? null : (
        <Table
          caption={t('recovery.title')}
          rows={transactions}
          keyOf={({ id }) => id}
          columns={[
            { head: t('file.kind'), cell: ({ kind }) => word('recovery.kind_', kind) },
            { head: t('office.status'), cell: (one) => <Progress of={one} /> },
            { head: t('recovery.keys'), cell: (one) => <Keys of={one} /> },
            { head: t('office.created'), cell: ({ createdAt }) => <Time at={createdAt} look="short" /> },
            { head: t('recovery.ended'), cell: ({ endedAt }) => (endedAt === undefined ? '–' : <Time at={endedAt} look="short" />) },
            { head: t('recovery.calls'), cell: (one) => <Calls of={one} /> },
          ]}
        />
      )}
    </section>
  );
};
