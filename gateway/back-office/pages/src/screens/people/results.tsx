import type { Access, SearchResult } from '@florin/back-office/contract';
import { Button } from '@florin/ui/parts/button.tsx';
import { Empty } from '@florin/ui/parts/empty.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { AccountIcon } from '@florin/ui/parts/icons.tsx';
import { Time } from '@florin/ui/parts/time.tsx';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ask } from '../../api/http.ts';
import { accessQuery, personPath, queries } from '../../api/queries.ts';
import { placeOf } from '../../domain/match-place.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { useExceptionColumns } from '../../parts/exception-columns.tsx';
import { Table } from '../../parts/table.tsx';

type Found = SearchResult['people'][number];

const People = ({ of, reason }: { of: SearchResult; reason: string }) => {
  const { t, word } = useTranslator();
  const navigate = useNavigate();
  const opening = useMutation({
    mutationFn: ({ userId }: Found) => ask<Access>('POST', `${personPath(userId)}/access`, { body: { reason } }),
    onSuccess: (access, { match }) => {
      queries.setQueryData(accessQuery(access.userId).queryKey, access);
      return navigate(placeOf(access.userId, match));
    },
  });
  return (
    <section className="panel">
      <h2 aria-live="polite">{t('find.found', { count: new Set(of.people.map(({ userId }) => userId)).size })}</h2>
      <Failure error={opening.error} />
      <Table
        caption={t('find.title')}
        rows={of.people}
        keyOf={({ userId, match }) => `${userId} ${match.id}`}
        columns={[
          { head: t('find.by_email'), cell: ({ email }) => <span className="strong">{email}</span> },
          { head: t('find.match'), cell: ({ match }) => word('match.', match.kind) },
          { head: t('find.registered'), cell: ({ registeredAt }) => <Time at={registeredAt} look="day" /> },
          {
            head: ' ',
            end: true,
            cell: (found) => (
              <Button small busy={opening.isPending && opening.variables === found} onClick={() => opening.mutate(found)}>
                {t('find.open')}
              </Button>
            ),
          },
        ]}
      />
      {of.hasMore ? <p className="soft small">{t('find.more')}</p> : null}
    </section>
  );
};

/** Transfers that need a person may be of an account whose owner is gone. */
const Exceptions = ({ of }: { of: SearchResult }) => {
  const { t } = useTranslator();
  const columns = useExceptionColumns();
  return (
    <section className="panel">
      <h2>{t('chain.exceptions')}</h2>
      <Table caption={t('chain.exceptions')} rows={of.exceptions} keyOf={({ id }) => id} columns={columns} />
      <p>
        <Link to="/chain">{t('find.to_chain')}</Link>
      </p>
    </section>
  );
};

/** The results of a search: people, whose files open where the found thing is, and transfers that need a person. */
export const Results = ({ of, reason }: { of: SearchResult; reason: string }) => {
  const { t } = useTranslator();
  if (of.people.length === 0 && of.exceptions.length === 0) {
    return (
      <section className="panel">
        <Empty icon={<AccountIcon />} title={t('find.nobody')} hint={t('find.nobody_hint')} />
      </section>
    );
  }
  return (
    <>
      {of.people.length === 0 ? null : <People of={of} reason={reason} />}
      {of.exceptions.length === 0 ? null : <Exceptions of={of} />}
    </>
  );
};
