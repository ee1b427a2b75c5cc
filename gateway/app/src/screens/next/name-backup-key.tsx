import { Button } from '@florin/ui/parts/button.tsx';
import { useQuery } from '@tanstack/react-query';
import { putOffBackup } from '../../api/backup-put-off.ts';
import { accountQuery } from '../../api/queries.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { BackupKeyForm } from '../security/backup-key.tsx';

/** Naming a backup key while nothing is lost yet, or later. */
export const NameBackupKey = () => {
  const { t } = useTranslator();
  const { data } = useQuery(accountQuery);
  if (data?.deployment === undefined) return null;
  const onDone = () => putOffBackup(data.id);
  return (
    <section className="panel">
      <p className="strong">{t('backup.why')}</p>
      <p className="soft">{t('backup.lead')}</p>
      <BackupKeyForm owner={data.deployment.owner} onSigned={onDone} />
      <Button onClick={onDone}>{t('backup.later')}</Button>
      <p className="small">{t('backup.later_where')}</p>
    </section>
  );
};
