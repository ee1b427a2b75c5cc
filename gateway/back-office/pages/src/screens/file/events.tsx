import { ButtonLink } from '@florin/ui/parts/button.tsx';
import { Time } from '@florin/ui/parts/time.tsx';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { fileQuery, personQuery } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import type { Events as Answer } from '../../api/types.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { PagedTable } from '../../parts/paged-table.tsx';

/** The events about a person, and the endpoints that received them. */
export const Events = () => {
  const { t } = useTranslator();
  const { userId } = useParams({ from: '/people/$userId/events' });
  const may = useMay();
  const partnerId = useQuery(personQuery(userId)).data?.user.partnerId;
  const events = useInfiniteQuery(fileQuery<Answer>(userId, 'events'));
  return (
    <section className="panel">
      <div className="panel-head">
        <h2>{t('file.events')}</h2>
        {may('partners.read') && partnerId !== undefined ? (
          <ButtonLink small to="/partners" search={{ partner: partnerId }}>
            {t('file.deliveries')}
          </ButtonLink>
        ) : null}
      </div>
      <PagedTable
        caption={t('file.events')}
        query={events}
        rowsOf={(answer) => answer.events}
        keyOf={({ id }) => id}
        none={t('file.no_events')}
        columns={[
          { head: t('office.time'), cell: ({ at }) => <Time at={at} look="short" /> },
          { head: t('file.event'), cell: ({ type }) => <span className="mono">{type}</span> },
          { head: t('file.subject'), cell: ({ subject }) => <span className="mono wrap">{subject}</span> },
          { head: t('file.number'), end: true, cell: ({ sequence }) => <span className="numbers">{sequence}</span> },
        ]}
      />
    </section>
  );
};
