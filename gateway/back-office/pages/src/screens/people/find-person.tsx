import type { Access, SearchResult } from '@florin/back-office/contract';
import { Button } from '@florin/ui/parts/button.tsx';
import { Empty } from '@florin/ui/parts/empty.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { SelectField, TextField } from '@florin/ui/parts/field.tsx';
import { AccountIcon } from '@florin/ui/parts/icons.tsx';
import { Time } from '@florin/ui/parts/time.tsx';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { ask } from '../../api/http.ts';
import { accessQuery, personPath, queries } from '../../api/queries.ts';
import type { SearchKind } from '../../api/types.ts';
import { guessKind } from '../../domain/guess-kind.ts';
import { isReason } from '../../domain/reason.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { ReasonField } from '../../parts/reason-field.tsx';
import { Screen } from '../../parts/screen.tsx';
import { Table } from '../../parts/table.tsx';

const KINDS = ['email', 'wallet', 'last4', 'reference', 'id'] as const satisfies readonly SearchKind[];

type Found = SearchResult['people'][number];

const Results = ({ of, reason }: { of: SearchResult; reason: string }) => {
  const { t, word } = useTranslator();
  const navigate = useNavigate();
  const opening = useMutation({
    mutationFn: ({ userId }: Found) => ask<Access>('POST', `${personPath(userId)}/access`, { body: { reason } }),
    onSuccess: (access) => {
      queries.setQueryData(accessQuery(access.userId).queryKey, access);
      return navigate({ to: '/people/$userId', params: { userId: access.userId } });
    },
  });
  if (of.people.length === 0) {
    return (
      <section className="panel">
        <Empty icon={<AccountIcon />} title={t('find.nobody')} hint={t('find.nobody_hint')} />
      </section>
    );
  }
  return (
    <section className="panel">
      <h2 aria-live="polite">{t('find.found', { count: of.people.length })}</h2>
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

/** Finds people, and opens their files with the reason that was given for the search. */
export const FindPerson = () => {
  const { t } = useTranslator();
  const form = useRef<HTMLFormElement>(null);
  const [value, setValue] = useState('');
  const [chosen, setChosen] = useState<SearchKind>();
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const by = chosen ?? guessKind(value);
  const search = useMutation({
    mutationFn: (body: { by: SearchKind; value: string; reason: string }) => ask<SearchResult>('POST', '/api/searches', { body }),
  });
  useEffect(() => {
    form.current?.querySelector('input')?.focus();
  }, []);
  return (
    <Screen title={t('find.title')} needs="people.read">
      <form
        id="find"
        ref={form}
        className="panel"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (value.trim() !== '' && isReason(reason) && !search.isPending)
            search.mutate({ by, value: value.trim(), reason: reason.trim() });
        }}
      >
        <div className="find-fields">
          <TextField
            label={t('find.value')}
            value={value}
            onChange={setValue}
            autoComplete="off"
            spellCheck={false}
            maxLength={254}
            required
          />
          <SelectField
            label={t('find.by')}
            value={by}
            onChange={(kind) => setChosen(kind as SearchKind)}
            options={KINDS.map((kind) => ({ value: kind, text: t(`find.by_${kind}`) }))}
          />
        </div>
        <ReasonField label={t('find.reason')} value={reason} onChange={setReason} tried={tried} />
        <Failure error={search.error} />
        <div className="form-end">
          <Button type="submit" kind="primary" busy={search.isPending}>
            {t('find.go')}
          </Button>
        </div>
      </form>
      {search.data ? <Results of={search.data} reason={search.variables.reason} /> : null}
    </Screen>
  );
};
