import { deviceName } from '@florin/ui/format/device-name.ts';
import { Button } from '@florin/ui/parts/button.tsx';
import { Time } from '@florin/ui/parts/time.tsx';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { fileQuery, personPath } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import type { Sessions as Answer } from '../../api/types.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { ActionDialog } from '../../parts/action-dialog.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { Short } from '../../parts/short.tsx';

export const Sessions = () => {
  const { t } = useTranslator();
  const { userId } = useParams({ from: '/people/$userId/sessions' });
  const may = useMay();
  const [ending, setEnding] = useState<string>();
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
          {
            head: ' ',
            end: true,
            cell: ({ id }) =>
              may('sessions.end') ? (
                <Button small onClick={() => setEnding(id)}>
                  {t('do.end_session')}
                </Button>
              ) : null,
          },
        ]}
      />
      {ending === undefined ? null : (
        <ActionDialog
          title={t('do.end_session_title')}
          lead={t('do.end_session_lead')}
          action={t('do.end_session')}
          danger
          path={`${personPath(userId)}/sessions/${encodeURIComponent(ending)}/end`}
          touches={[['people', userId]]}
          done={t('do.end_session_done')}
          onClose={() => setEnding(undefined)}
        />
      )}
    </section>
  );
};
