import type { Passkey } from '@florin/back-office/contract';
import { deviceName } from '@florin/ui/format/device-name.ts';
import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { TextField } from '@florin/ui/parts/field.tsx';
import { Sheet } from '@florin/ui/parts/sheet.tsx';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../api/http.ts';
import { passkeysQuery, queries } from '../../api/queries.ts';
import { useTranslator } from '../../i18n/i18n.ts';

/** Gives a passkey a name, so that its operator knows which one was lost. One without a name is likely to be of this device. */
export const NamePasskey = ({
  of: { id, name: former = deviceName(navigator.userAgent) ?? '' },
  onClose,
}: {
  of: Passkey;
  onClose: () => void;
}) => {
  const { t } = useTranslator();
  const [name, setName] = useState(former);
  const naming = useMutation({
    mutationFn: () => ask('POST', `/api/session/passkeys/${id}/name`, { body: { name: name.trim() } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: passkeysQuery.queryKey });
      onClose();
    },
  });
  return (
    <Sheet title={t('passkeys.name_title')} onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!naming.isPending) naming.mutate();
        }}
      >
        <TextField
          label={t('operators.name')}
          hint={t('passkeys.name_hint')}
          value={name}
          onChange={setName}
          autoComplete="off"
          maxLength={80}
          required
        />
        <Failure error={naming.error} />
        <div className="actions">
          <Button onClick={onClose}>{t('app.cancel')}</Button>
          <Button type="submit" kind="primary" busy={naming.isPending}>
            {t('passkeys.save')}
          </Button>
        </div>
      </form>
    </Sheet>
  );
};
