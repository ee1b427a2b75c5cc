import type { SearchResult } from '@florin/back-office/contract';
import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { SelectField, TextField } from '@florin/ui/parts/field.tsx';
import { useMutation } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { ask } from '../../api/http.ts';
import type { SearchKind } from '../../api/types.ts';
import { guessKind } from '../../domain/guess-kind.ts';
import { isReason } from '../../domain/reason.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { ReasonField } from '../../parts/reason-field.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useDraft } from '../../parts/use-draft.ts';
import { Results } from './results.tsx';

const KINDS = ['email', 'wallet', 'last4', 'reference', 'transaction', 'id'] as const satisfies readonly SearchKind[];

const Find = () => {
  const { t } = useTranslator();
  const form = useRef<HTMLFormElement>(null);
  const value = useDraft('/api/searches value');
  const [chosen, setChosen] = useState<SearchKind>();
  const reason = useDraft('/api/searches reason');
  const [tried, setTried] = useState(false);
  const by = chosen ?? guessKind(value.text);
  const search = useMutation({
    mutationFn: (body: { by: SearchKind; value: string; reason: string }) => ask<SearchResult>('POST', '/api/searches', { body }),
    onSuccess: () => {
      value.drop();
      reason.drop();
    },
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
          if (value.text.trim() !== '' && isReason(reason.text) && !search.isPending)
            search.mutate({ by, value: value.text.trim(), reason: reason.text.trim() });
        }}
      >
        <div className="find-fields">
          <TextField
            label={t('find.value')}
            hint={t('find.value_hint')}
            value={value.text}
            onChange={value.change}
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
        <ReasonField label={t('find.reason')} value={reason.text} onChange={reason.change} tried={tried} />
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

/** Finds people, and opens their files with the reason that was given for the search. Whoever comes here again begins anew, with what the palette has asked for. */
export const FindPerson = () => <Find key={useLocation().state.__TSR_key} />;
