import { saveFile } from '@florin/ui/page/save-file.ts';
import { Button } from '@florin/ui/parts/button.tsx';
import { Confirm } from '@florin/ui/parts/confirm.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { signOut } from '../../api/session.ts';
import { useTranslator } from '../../i18n/i18n.ts';

const SPACES = 2;

const exportAll = async (): Promise<void> => {
  const { exportedAt, records } = await client.user.exportUserData();
  saveFile(`florin-data-${exportedAt.slice(0, 10)}.json`, 'application/json', JSON.stringify({ exportedAt, records }, null, SPACES));
};

/** A person's rights to their data: a copy of everything, and its erasure, which closes the account. Both need a sign-in that is minutes old. */
export const PersonalData = () => {
  const { t } = useTranslator();
  const [isAsking, setAsking] = useState(false);
  const exporting = useMutation({ mutationFn: exportAll });
  const erasing = useMutation({ mutationFn: () => client.user.eraseUser(), onSuccess: signOut });
  return (
    <section className="panel">
      <div className="stack-tight">
        <h2>{t('data.title')}</h2>
        <p className="soft">{t('data.lead')}</p>
      </div>
      <Failure error={exporting.error} />
      <div className="actions">
        <Button busy={exporting.isPending} onClick={() => exporting.mutate()}>
          {t('data.export')}
        </Button>
        <Button onClick={() => setAsking(true)}>{t('data.erase')}</Button>
      </div>
      {isAsking ? (
        <Confirm
          title={t('data.erase_question')}
          lead={t('data.erase_lead')}
          action={t('data.erase_do')}
          busy={erasing.isPending}
          failure={erasing.error}
          onConfirm={() => erasing.mutate()}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </section>
  );
};
