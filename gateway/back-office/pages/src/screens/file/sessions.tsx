import { deviceName } from '@florin/ui/format/device-name.ts';
import { Time } from '@florin/ui/parts/time.tsx';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { fileQuery } from '../../api/queries.ts';
import type { Sessions as Answer } from '../../api/types.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { PagedTable } from '../../parts/paged-table.tsx';
import { Short } from '../../parts/short.tsx';

export const Sessions = () => {
  const { t } = useTranslator();
  const { userId } = useParams({ from: '/people/$userId/sessions' });
  const sessions = useInfiniteQuery(fileQuery<Answer>(userId, 'sessions'));
  return (
    <section className="panel">
      <h2>{t('file.sessions')}</h2>
      <PagedTable
        caption={t('file.sessions')}
        query={sessions}
        rowsOf={(answer) => answer.sessions}
        keyOf={({ id }) => id}
        none={t('file.no_sessions')}
        columns={[
          {
            head: t('file.device'),
            cell: ({ userAgent }) => <span title={userAgent}>{deviceName(userAgent) ?? t('file.other_program')}</span>,
          },
          { head: t('file.ip'), cell: ({ ip }) => <span className="mono">{ip || '–'}</span> },
          { head: t('find.by_wallet'), cell: ({ wallet }) => <Short text={wallet} /> },
          { head: t('office.created'), cell: ({ createdAt }) => <Time at={createdAt} look="short" /> },
          { head: t('file.last_used'), cell: ({ lastUsedAt }) => <Time at={lastUsedAt} look="short" /> },
        ]}
      />
    </section>
  );
};
