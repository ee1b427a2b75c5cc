import type { Summary } from '@florin/back-office/contract';
import { deviceName } from '@florin/ui/format/device-name.ts';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { Money } from '@florin/ui/parts/money.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { Time } from '@florin/ui/parts/time.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { summaryQuery } from '../../api/queries.ts';
import { placeOf } from '../../domain/match-place.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { State } from '../../parts/state.tsx';
import { Table, type TableProps } from '../../parts/table.tsx';

type Of<List extends keyof Summary> = { userId: string; of: Summary[List] };

const PaymentLink = ({ userId, paymentId, merchant }: { userId: string; paymentId: string; merchant: string }) => (
  <Link {...placeOf(userId, { kind: 'payment', id: paymentId })} preload={false}>
    {merchant}
  </Link>
);

/** A list under its title, or a line that says that there is nothing. */
const List = <Row,>({ title, none, ...table }: { title: string; none: string } & Omit<TableProps<Row>, 'caption'>) => (
  <section className="panel">
    <h2>{title}</h2>
    {table.rows.length === 0 ? <p className="soft">{none}</p> : <Table caption={title} {...table} />}
  </section>
);

const Holds = ({ userId, of }: Of<'holds'>) => {
  const { t } = useTranslator();
  return (
    <List
      title={t('file.holds')}
      none={t('file.no_holds')}
      rows={of}
      keyOf={({ paymentId }) => paymentId}
      columns={[
        { head: t('file.merchant'), cell: (hold) => <PaymentLink userId={userId} {...hold} /> },
        { head: t('file.held_until'), cell: ({ expiresAt }) => (expiresAt === undefined ? '–' : <Time at={expiresAt} look="short" />) },
        { head: t('file.held'), end: true, cell: ({ held }) => <Money {...held} /> },
      ]}
    />
  );
};

const Disputes = ({ userId, of }: Of<'disputes'>) => {
  const { t, word } = useTranslator();
  return (
    <List
      title={t('file.disputes')}
      none={t('file.no_disputes')}
      rows={of}
      keyOf={({ id }) => id}
      columns={[
        { head: t('file.merchant'), cell: (dispute) => <PaymentLink userId={userId} {...dispute} /> },
        { head: t('dispute.stage'), cell: ({ stage }) => word('queues.stage_', stage) },
        { head: t('dispute.deadline'), cell: ({ deadline }) => (deadline === undefined ? '–' : <Time at={deadline} look="short" />) },
        { head: t('office.amount'), end: true, cell: (dispute) => <Money {...dispute} /> },
      ]}
    />
  );
};

const Timeline = ({ userId, of }: Of<'timeline'>) => {
  const { t, word } = useTranslator();
  const about = ({ kind, about: text }: Summary['timeline'][number]): string => {
    if (kind === 'card') return `•••• ${text}`;
    return kind === 'session' ? (deviceName(text) ?? t('file.other_program')) : text;
  };
  return (
    <List
      title={t('file.timeline')}
      none={t('file.no_events')}
      rows={of}
      keyOf={({ kind, id, at, status }) => `${kind} ${id} ${at} ${status}`}
      columns={[
        { head: t('office.time'), cell: ({ at }) => <Time at={at} look="short" /> },
        {
          head: t('file.event'),
          cell: (event) => (
            <>
              <Link {...placeOf(userId, event)} preload={false}>
                {word('match.', event.kind)}
              </Link>{' '}
              <span className="wrap">{about(event)}</span>
            </>
          ),
        },
        {
          head: t('office.status'),
          cell: ({ kind, status, by, decline }) => {
            if (kind === 'card') return by === undefined ? word('change.', status) : `${word('change.', status)}, ${by}`;
            if (status === '') return '–';
            return (
              <>
                <State of={status} /> {decline === undefined ? null : word('decline.', decline)}
              </>
            );
          },
        },
        { head: t('office.amount'), end: true, cell: ({ amount }) => (amount === undefined ? '–' : <Money {...amount} />) },
      ]}
    />
  );
};

/** The facts that a caller asks about: holds, disputes, and the latest events. */
export const PersonSummary = ({ userId }: { userId: string }) => {
  const { t, word } = useTranslator();
  const { data, isPending, error, refetch } = useQuery(summaryQuery(userId));
  return (
    <>
      {isPending ? <SkeletonRows rows={5} /> : null}
      <Failure error={error} onRetry={() => void refetch()} />
      {data === undefined || data.unavailable.length === 0 ? null : (
        <p className="notice notice-warn">
          {t('overview.unavailable_hint', { parts: data.unavailable.map((part) => word('file.', part)).join(', ') })}
        </p>
      )}
      {data === undefined ? null : (
        <>
          <div className="halves">
            {data.unavailable.includes('holds') ? null : <Holds userId={userId} of={data.holds} />}
            {data.unavailable.includes('disputes') ? null : <Disputes userId={userId} of={data.disputes} />}
          </div>
          <Timeline userId={userId} of={data.timeline} />
        </>
      )}
    </>
  );
};
