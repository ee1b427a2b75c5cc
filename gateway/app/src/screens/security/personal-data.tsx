import { saveFile } from '@florin/ui/page/save-file.ts';
import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { client } from '../../api/client.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { CloseAccount } from './close-account.tsx';

const SPACES = 2;

const exportAll = async (): Promise<void> => {
  const { exportedAt, records } = await client.user.exportUserData();
  saveFile(`florin-data-${exportedAt.slice(0, 10)}.json`, 'application/json', JSON.stringify({ exportedAt, records }, null, SPACES));
};

/** A person's rights to their data: a copy of everything, and its erasure, which closes the account. Both need a sign-in that is minutes old. */
export const PersonalData = () => {
  const { t } = useTranslator();
  const navigate = useNavigate();
  // In the address, so that the question is there again after a fresh sign-in.
  const { close = false } = useSearch({ from: '/security' });
  const ask = (isAsking: boolean) => void navigate({ to: '/security', search: isAsking ? { close: true } : {}, replace: !isAsking });
  const exporting = useMutation({ mutationFn: exportAll });
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
        <Button onClick={() => ask(true)}>{t('data.erase')}</Button>
      </div>
      {close ? <CloseAccount onClose={() => ask(false)} /> : null}
    </section>
  );
};
