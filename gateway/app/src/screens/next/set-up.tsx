import { useMutation } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { refresh } from '../../api/queries.ts';
import { useTranslator } from '../../i18n/i18n.tsx';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';

const signSetUp = async (): Promise<void> => {
  const [{ setUpAccount }, { currentSigner }] = await Promise.all([import('@florin/client/viem'), import('../../wallet/signer.ts')]);
  await setUpAccount(client, await currentSigner());
};

/** The person's part of setting the account up on its chain: a signature. */
export const SetUp = () => {
  const { t } = useTranslator();
  const signing = useMutation({ mutationFn: signSetUp, onSettled: () => refresh('account', 'onboarding') });
  return (
    <div className="panel">
      <p className="soft">{t('set_up.lead')}</p>
      <Failure error={signing.error} />
      <Button kind="primary" busy={signing.isPending} onClick={() => signing.mutate()}>
        {t('set_up.sign')}
      </Button>
    </div>
  );
};
