import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { Time } from '@florin/ui/parts/time.tsx';
import { showToast } from '@florin/ui/parts/toast.tsx';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ask } from '../../api/http.ts';
import { ownSessionsQuery, queries } from '../../api/queries.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { Table } from '../../parts/table.tsx';

/** The sessions of who is signed in. */
export const OwnSessions = () => {
  const { t } = useTranslator();
  const found = useQuery(ownSessionsQuery);
  const ending = useMutation({
    mutationFn: (id: string) => ask('POST', `/api/session/sessions/${id}/end`),
    onSuccess: () => showToast(t('sessions.ended')),
    onSettled: () => queries.invalidateQueries({ queryKey: ownSessionsQuery.queryKey }),
  });
  return (
    <section className="panel">
      <h2>{t('sessions.title')}</h2>
      <p className="soft">{t('sessions.lead')}</p>
      <Failure error={found.error ?? ending.error} onRetry={() => void found.refetch()} />
      {found.data === undefined ? null : (
        <Table
          caption={t('sessions.title')}
          rows={found.data.sessions}
          keyOf={({ id }) => id}
          columns={[
            { head: t('sessions.by'), cell: ({ by }) => t(`sessions.by_${by}`) },
            { head: t('sessions.begun'), cell: ({ createdAt }) => <Time at={createdAt} look="short" /> },
            { head: t('sessions.used'), cell: ({ lastUsedAt }) => <Time at={lastUsedAt} look="short" /> },
            {
              head: ' ',
              end: true,
              cell: ({ id, current }) =>
                current ? (
                  <span className="soft">{t('sessions.this')}</span>
                ) : (
                  <Button small busy={ending.isPending && ending.variables === id} onClick={() => ending.mutate(id)}>
                    {t('sessions.end')}
                  </Button>
                ),
            },
          ]}
        />
      )}
    </section>
  );
};
