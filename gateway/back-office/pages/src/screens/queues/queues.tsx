import type { Queue, QueueCounts } from '@florin/back-office/contract';
import { QUEUE_NAMES, QUEUES } from '@florin/back-office/contract/queue-names';
import { Badge } from '@florin/ui/parts/badge.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { Time } from '@florin/ui/parts/time.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { queueCountsQuery } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { Counted } from '../../parts/counted.tsx';
import { Screen } from '../../parts/screen.tsx';
import { Table } from '../../parts/table.tsx';

type Row = { queue: Queue; counted: QueueCounts['queues'][number] | undefined };

const Overdue = ({ of }: { of: number }) => {
  const { t } = useTranslator();
  return of === 0 ? <>–</> : <Badge tone="bad">{t('queues.overdue_count', { count: of })}</Badge>;
};

/** All work queues, each with what is open in it. */
export const QueuesTable = () => {
  const { t, word } = useTranslator();
  const may = useMay();
  const counts = useQuery(queueCountsQuery);
  const rows = QUEUE_NAMES.map((queue): Row => ({ queue, counted: counts.data?.queues.find((one) => one.queue === queue) }));
  return (
    <section className="panel">
      <h2>{t('queues.title')}</h2>
      {counts.isPending ? <SkeletonRows rows={5} /> : null}
      <Failure error={counts.error} onRetry={() => void counts.refetch()} />
      {counts.data === undefined ? null : (
        <Table
          caption={t('queues.title')}
          rows={rows}
          keyOf={({ queue }) => queue}
          columns={[
            {
              head: t('queues.queue'),
              cell: ({ queue }) =>
                may(QUEUES[queue].access) ? (
                  <Link to="/queues/$queue" params={{ queue }}>
                    {word('queues.name_', queue)}
                  </Link>
                ) : (
                  word('queues.name_', queue)
                ),
            },
            {
              head: t('queues.open'),
              end: true,
              cell: ({ counted }) =>
                counted === undefined ? <span className="soft">{t('queues.unread')}</span> : <Counted of={counted.count} />,
            },
            { head: t('queues.overdue'), cell: ({ counted }) => <Overdue of={counted?.overdue ?? 0} /> },
            {
              head: t('queues.oldest'),
              cell: ({ counted }) => (counted?.oldest === undefined ? '–' : <Time at={counted.oldest} look="short" />),
            },
            { head: t('queues.level'), cell: ({ queue }) => t('queues.within', { count: QUEUES[queue].hours }) },
          ]}
        />
      )}
    </section>
  );
};

/** The work that waits for a person. */
export const QueuesScreen = () => {
  const { t } = useTranslator();
  return (
    <Screen title={t('queues.title')} needs="overview.read">
      <QueuesTable />
    </Screen>
  );
};
