import { Button } from '@florin/ui/parts/button.tsx';
import { TextField } from '@florin/ui/parts/field.tsx';
import { showToast } from '@florin/ui/parts/toast.tsx';
import { type FormEvent, useState } from 'react';
import { nameRecipient, recipientNames } from '../../api/recipient-names.ts';
import { useTranslator } from '../../i18n/i18n.ts';

/** The person's own name for the recipient of an address. */
export const RecipientName = ({ address }: { address: string }) => {
  const { t } = useTranslator();
  const [name, setName] = useState(recipientNames().get(address.toLowerCase()) ?? '');
  const [text, setText] = useState(name);
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    nameRecipient(address, text.trim());
    // The button goes away, and the focus with it.
    event.currentTarget.querySelector('input')?.focus();
    setName(text.trim());
    showToast(t(text.trim() === '' ? 'recipient.removed' : 'recipient.saved'));
  };
  return (
    <form className="form" onSubmit={save}>
      <TextField label={t('recipient.name')} hint={t('recipient.hint')} value={text} onChange={setText} maxLength={40} autoComplete="off" />
      {text.trim() === name ? null : (
        <div className="actions">
          <Button type="submit">{t('recipient.save')}</Button>
        </div>
      )}
    </form>
  );
};
