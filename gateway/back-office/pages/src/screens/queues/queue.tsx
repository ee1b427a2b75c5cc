import type { Queue, QueueItem } from '@florin/back-office/contract';
import { COUNTED_TO, QUEUE_NAMES, QUEUES } from '@florin/back-office/contract/queue-names';
import { saveFile } from '@florin/ui/page/save-file.ts';
import { Badge } from '@florin/ui/parts/badge.tsx';
import { Button } from '@florin/ui/parts/button.tsx';
import { Empty } from '@florin/ui/parts/empty.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { Segments, SelectField } from '@florin/ui/parts/field.tsx';
import { ListIcon } from '@florin/ui/parts/icons.tsx';
import { Money } from '@florin/ui/parts/money.tsx';
import { NotFound } from '@florin/ui/parts/not-found.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { Time } from '@florin/ui/parts/time.tsx';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { queueCountsQuery, queueQuery } from '../../api/queries.ts';
import { sessionQuery, useMay } from '../../api/session.ts';
import { FILTERS, itemsOf, placeOfItem, type QueueView, queueCsv, readView, SORTS } from '../../domain/queue-view.ts';
import { keepView, keptView } from '../../domain/queue-views.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { Screen } from '../../parts/screen.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { SavedViews } from './saved-views.tsx';
import { Working } from './working.tsx';

/** The words for what an item is. */
const useKind = (queue: Queue): ((kind: string) => string) => {
  const { word } = useTranslator();
  return (kind) => {
    if (queue === 'disputes') return word('queues.stage_', kind);
    return queue === 'transfers' ? word('chain.kind_', kind) : word('exceptions.kind_', kind, word('queues.kind_', kind));
  };
};

const useColumns = (queue: Queue, work: (item: QueueItem) => void): Column<QueueItem>[] => {
  const { t } = useTranslator();
  const toWords = useKind(queue);
  return [
    {
      head: t('queues.due'),
      cell: ({ dueAt, isOverdue }) => (
        <>
          <Time at={dueAt} look="short" /> {isOverdue ? <Badge tone="bad">{t('queues.overdue')}</Badge> : null}
        </>
      ),
    },
    { head: t('queues.since'), cell: ({ since }) => <Time at={since} look="short" /> },
    {
      head: t('queues.what'),
      cell: (item) => (
        <Link {...placeOfItem(queue, item)} preload={false}>
          {toWords(item.kind)} <span className="mono small">{item.partnerId ?? item.id.slice(0, 8)}</span>
        </Link>
      ),
    },
    { head: t('office.amount'), end: true, cell: ({ amount }) => (amount === undefined ? '–' : <Money {...amount} />) },
    { head: t('queues.assignee'), cell: ({ assignee }) => assignee?.name ?? <span className="soft">{t('queues.nobody')}</span> },
    { head: t('queues.last_note'), cell: ({ notes }) => <span className="wrap">{notes.at(-1)?.text ?? '–'}</span> },
    {
      head: ' ',
      end: true,
      cell: (item) => (
        <Button small onClick={() => work(item)}>
          {t('queues.work')}
        </Button>
      ),
    },
  ];
};

const Items = ({ queue, view, change }: { queue: Queue; view: QueueView; change: (view: QueueView) => void }) => {
  const { t } = useTranslator();
  const me = useQuery(sessionQuery).data?.operator.id;
  const revision = useQuery(queueCountsQuery).data?.queues.find((one) => one.queue === queue)?.revision;
  const found = useQuery({ ...queueQuery(queue, revision ?? ''), placeholderData: keepPreviousData });
  const [chosen, setChosen] = useState<string>();
  const columns = useColumns(queue, ({ id }) => setChosen(id));
  const shown = itemsOf(found.data?.items ?? [], view, me);
  const item = found.data?.items.find(({ id }) => id === chosen);
  // The name of the file says where it ends before the queue does.
  const file = `florin-${queue}${found.data?.hasMore === true ? `-first-${COUNTED_TO}` : ''}.csv`;
  return (
    <section className="panel" aria-busy={found.isFetching}>
      <div className="list-head">
        <Segments
          legend={t('queues.filter')}
          value={view.filter}
          onChange={(filter) => change(readView({ ...view, filter }))}
          options={FILTERS.map((value) => ({ value, text: t(`queues.filter_${value}`) }))}
        />
        <span className="row-actions">
          <SelectField
            label={t('queues.sort')}
            value={view.sort}
            onChange={(sort) => change(readView({ ...view, sort }))}
            options={SORTS.map((value) => ({ value, text: t(`queues.sort_${value}`) }))}
          />
          <Button disabled={shown.length === 0} onClick={() => saveFile(file, 'text/csv', queueCsv(queue, shown))}>
            {t('audit.csv')}
          </Button>
        </span>
      </div>
      {me === undefined ? null : <SavedViews operatorId={me} queue={queue} view={view} change={change} />}
      <p className="soft small">{t('queues.level_of', { count: QUEUES[queue].hours })}</p>
      {found.isPending ? <SkeletonRows rows={5} /> : null}
      <Failure error={found.error} onRetry={() => void found.refetch()} />
      {found.data !== undefined && shown.length === 0 ? <Empty icon={<ListIcon />} title={t('queues.none')} /> : null}
      {shown.length === 0 ? null : <Table caption={t('queues.items')} rows={shown} keyOf={({ id }) => id} columns={columns} />}
      {found.data?.hasMore === true ? <p className="soft">{t('queues.more')}</p> : null}
      {item === undefined ? null : (
        <Working queue={queue} item={item} operators={found.data?.operators ?? []} onClose={() => setChosen(undefined)} />
      )}
    </section>
  );
};

const Queued = ({ queue }: { queue: Queue }) => {
  const { word } = useTranslator();
  const may = useMay();
  const navigate = useNavigate();
  const search = useSearch({ from: '/queues/$queue' });
  // The address decides; without one it is as this operator has left it.
  const view = readView({ ...keptView(queue), ...search });
  useEffect(() => keepView(queue, view));
  const change = (changed: QueueView) => void navigate({ to: '/queues/$queue', params: { queue }, search: changed, replace: true });
  return (
    <Screen title={word('queues.name_', queue)} needs={QUEUES[queue].access}>
      {may(QUEUES[queue].access) ? <Items queue={queue} view={view} change={change} /> : null}
    </Screen>
  );
};

/** The open items of one queue. */
export const QueueScreen = () => {
  const { queue: named } = useParams({ from: '/queues/$queue' });
  const queue = QUEUE_NAMES.find((one) => one === named);
  return queue === undefined ? <NotFound /> : <Queued key={queue} queue={queue} />;
};
