import type { CardTransactionDetail } from '@florin/client';
import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { TextField } from '@florin/ui/parts/field.tsx';
import { showToast } from '@florin/ui/parts/toast.tsx';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { refresh } from '../../api/queries.ts';
import { useTranslator } from '../../i18n/i18n.ts';

/** The person's own note on a payment. */
export const Note = ({ payment: { id: transactionId, note = '' } }: { payment: CardTransactionDetail }) => {
  const { t } = useTranslator();
  const [text, setText] = useState(note);
  const saving = useMutation({
    mutationFn: () => client.cards.setCardTransactionNote({ transactionId, note: text.trim() }),
    onSuccess: async () => {
      await refresh('payments');
      showToast(t('note.saved'));
    },
  });
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!saving.isPending) saving.mutate();
      }}
    >
      <TextField label={t('note.label')} hint={t('note.hint')} value={text} onChange={setText} maxLength={280} autoComplete="off" />
      <Failure error={saving.error} />
      {text.trim() === note ? null : (
        <div className="actions">
          <Button type="submit" busy={saving.isPending}>
            {t('note.save')}
          </Button>
        </div>
      )}
    </form>
  );
};
