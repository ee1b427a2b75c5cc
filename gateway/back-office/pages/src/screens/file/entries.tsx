import { Badge } from '@florin/ui/parts/badge.tsx';
import { Time } from '@florin/ui/parts/time.tsx';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { fileQuery } from '../../api/queries.ts';
import type { Entries as Answer } from '../../api/types.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { PagedTable } from '../../parts/paged-table.tsx';
import { Transfers } from '../../parts/transfers.tsx';

export const Entries = () => {
  const { t, word } = useTranslator();
  const { userId } = useParams({ from: '/people/$userId/entries' });
  const entries = useInfiniteQuery(fileQuery<Answer>(userId, 'entries'));
  return (
    <section className="panel">
      <h2>{t('file.entries')}</h2>
      <PagedTable
        caption={t('file.entries')}
        query={entries}
        rowsOf={(answer) => answer.entries}
        keyOf={({ id }) => id}
        none={t('file.no_entries')}
        columns={[
          { head: t('office.time'), cell: ({ createdAt }) => <Time at={createdAt} look="short" /> },
          {
            head: t('file.kind'),
            cell: ({ kind, isForced }) => (
              <span className="row-actions">
                <span title={kind}>{word('entry.', kind)}</span>
                {isForced ? <Badge tone="warn">{t('file.forced')}</Badge> : null}
              </span>
            ),
          },
          {
            head: t('file.by'),
            cell: ({ actor, reason }) => (
              <>
                <span className="mono">{actor || '–'}</span>
                {reason === '' ? '' : ` · ${reason}`}
              </>
            ),
          },
          { head: t('file.approved_by'), cell: ({ approvedBy }) => <span className="mono">{approvedBy || '–'}</span> },
          { head: t('file.moves'), end: true, cell: ({ transfers }) => <Transfers of={transfers} /> },
        ]}
      />
    </section>
  );
};
