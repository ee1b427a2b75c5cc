import type { QueueItem } from '@florin/back-office/contract';
import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { TextAreaField } from '@florin/ui/parts/field.tsx';
import { Time } from '@florin/ui/parts/time.tsx';
import { showToast } from '@florin/ui/parts/toast.tsx';
import { useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { isReason, REASON_MAX } from '../domain/reason.ts';
import { useTranslator } from '../i18n/i18n.ts';
import { useDraft } from './use-draft.ts';

/** What operators have noted, oldest first. */
export const Notes = ({ of }: { of: QueueItem['notes'] }) => {
  const { t } = useTranslator();
  return of.length === 0 ? (
    <p className="soft">{t('notes.none')}</p>
  ) : (
    <ol className="stack" aria-label={t('notes.title')}>
      {of.map(({ at, by, text }) => (
        <li key={`${at} ${by} ${text}`} className="stack-tight">
          <span className="wrap">{text}</span>
          <span className="soft small">
            {by}, <Time at={at} look="short" />
          </span>
        </li>
      ))}
    </ol>
  );
};

/** Takes a note, which is in the audit log as well. */
export const NoteForm = ({ path, touches }: { path: string; touches: readonly (readonly string[])[] }) => {
  const { t } = useTranslator();
  const draft = useDraft(path);
  const [tried, setTried] = useState(false);
  const noting = useAction({
    path,
    touches,
    onDone: () => {
      draft.change('');
      draft.drop();
      setTried(false);
      showToast(t('notes.done'));
    },
  });
  return (
    <form
      className="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (isReason(draft.text) && !noting.isPending) noting.mutate({ reason: draft.text.trim() });
      }}
    >
      <TextAreaField
        label={t('notes.new')}
        hint={t('notes.hint')}
        problem={tried && !isReason(draft.text) ? t('office.reason_short') : undefined}
        value={draft.text}
        onChange={draft.change}
        rows={2}
        maxLength={REASON_MAX}
      />
      <Failure error={noting.error} />
      <div className="form-end">
        <Button type="submit" busy={noting.isPending}>
          {t('notes.add')}
        </Button>
      </div>
    </form>
  );
};
