import type { Deployment, Recovery as OpenRecovery } from '@florin/client';
import { shortAddress } from '@florin/ui/format/short-address.ts';
import { wholeHours } from '@florin/ui/format/time-left.ts';
import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { Sheet } from '@florin/ui/parts/sheet.tsx';
import { formatTime } from '@florin/ui/parts/time.tsx';
import { showToast } from '@florin/ui/parts/toast.tsx';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { accountQuery, recoveryQuery, refresh } from '../../api/queries.ts';
import { isRecoveryNews, recoverySteps } from '../../domain/recovery.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { chosenWallet } from '../../wallet/chosen-wallet.ts';
import type { FoundWallet } from '../../wallet/eip1193.ts';
import { useWallets } from '../../wallet/find-wallets.ts';
import { WalletChoice } from './wallet-choice.tsx';

type Step = 'requestRecovery' | 'stopRecovery';

/** Has the key of an address sign a step; a request also by the wallet of the session, which becomes the owner. */
const sign = async (step: Step, found: FoundWallet, address: string): Promise<void> => {
  const [steps, { connectAs, currentSigner }] = await Promise.all([import('@florin/client/recovery'), import('../../wallet/signer.ts')]);
  const signer = await connectAs(found, address);
  await (step === 'requestRecovery' ? steps.requestRecovery(client, signer, await currentSigner()) : steps.stopRecovery(client, signer));
};

type SignWithProps = { step: Step; address: string; question: string; onDone?: () => void };

/** The wallets of this browser, one of which has the key that signs a step. */
const SignWith = ({ step, address, question, onDone }: SignWithProps) => {
  const { t } = useTranslator();
  const wallets = useWallets();
  const signing = useMutation({
    mutationFn: (found: FoundWallet) => sign(step, found, address),
    onSuccess: async () => {
      await refresh('account');
      onDone?.();
    },
  });
  return (
    <>
      <p className="label">{wallets.length === 0 ? t('security.add_none') : question}</p>
      <WalletChoice
        wallets={wallets}
        asked={signing.isPending ? signing.variables : undefined}
        onChoose={(wallet) => signing.mutate(wallet)}
      />
      <Failure error={signing.error} />
    </>
  );
};

const Request = ({ backup, newOwner }: { backup: NonNullable<Deployment['backup']>; newOwner: string }) => {
  const { t } = useTranslator();
  const count = wholeHours(backup.cooldownSeconds);
  return (
    <>
      <ol className="stack-tight">
        <li>{t('recovery.step_replaced')}</li>
        <li className="strong">{t('recovery.step_request', { key: shortAddress(backup.key), wallet: shortAddress(newOwner) })}</li>
        <li>{t('recovery.step_wait', { count })}</li>
        <li>{t('recovery.step_unblock')}</li>
      </ol>
      <SignWith step="requestRecovery" address={backup.key} question={t('recovery.choose')} />
    </>
  );
};

/** Says how far an exchange is. */
const Progress = ({ status, newOwner, executableAt }: OpenRecovery) => {
  const { t, locale } = useTranslator();
  const wallet = shortAddress(newOwner);
  return (
    <p className="notice" role="status">
      {status === 'waiting' && executableAt !== undefined
        ? t('recovery.waiting', { wallet, time: formatTime(executableAt, locale) })
        : null}
      {status === 'requested' ? t('recovery.requested') : null}
      {status === 'completed' ? t('recovery.completed', { wallet }) : null}
      {status === 'cancelled' ? t('recovery.cancelled') : null}
    </p>
  );
};

const Stop = ({ owner }: { owner: string }) => {
  const { t } = useTranslator();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <p className="soft">{t('recovery.stop_lead')}</p>
      <Button kind="danger" onClick={() => setOpen(true)}>
        {t('recovery.stop')}
      </Button>
      {isOpen ? (
        <Sheet title={t('recovery.stop')} onClose={close}>
          <SignWith
            step="stopRecovery"
            address={owner}
            question={t('recovery.stop_choose', { owner: shortAddress(owner) })}
            onDone={() => {
              showToast(t('recovery.stopped'));
              close();
            }}
          />
        </Sheet>
      ) : null}
    </>
  );
};

/** The exchange of a lost owner: to be requested, followed and stopped. */
export const Recovery = () => {
  const { t } = useTranslator();
  const { data: account } = useQuery(accountQuery);
  const backup = account?.deployment?.backup;
  const { data: recovery } = useQuery({ ...recoveryQuery, enabled: backup !== undefined });
  if (account?.deployment === undefined || backup === undefined) return null;
  const { owner, replacement } = account.deployment;
  const news = recovery ?? undefined;
  const can = recoverySteps(chosenWallet()?.address, { owner, replacement, status: news?.status });
  const isNews = news !== undefined && isRecoveryNews({ ...news, replacement, blocked: account.status === 'blocked' }, Date.now());
  if (!isNews && !can.request) return null;
  return (
    <section className="panel">
      <h2>{t('recovery.title')}</h2>
      {isNews ? <Progress {...news} /> : null}
      {can.request && replacement !== undefined ? <Request backup={backup} newOwner={replacement} /> : null}
      {can.stop ? <Stop owner={owner} /> : null}
      {news?.status === 'waiting' && !can.stop ? <p className="soft">{t('recovery.not_you')}</p> : null}
    </section>
  );
};
