import { kept } from '@florin/ui/page/kept.ts';
import { Button } from '@florin/ui/parts/button.tsx';
import { Empty } from '@florin/ui/parts/empty.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { WalletIcon } from '@florin/ui/parts/icons.tsx';
import { Page } from '@florin/ui/parts/page.tsx';
import { useMutation } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { hasSessionEnded, readSession, signOut, useIsUntold } from '../../api/session.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { keepWallet } from '../../wallet/chosen-wallet.ts';
import type { FoundWallet } from '../../wallet/eip1193.ts';
import { useWallets } from '../../wallet/find-wallets.ts';
import { TEST_WALLET_RDNS } from '../../wallet/test-wallet.ts';
import { Home } from './later.ts';

const signInWith = async (wallet: FoundWallet): Promise<void> => {
  void Home.preload().catch(() => undefined);
  // Only who signs needs the code that signs.
  const [{ signIn }, { connect }] = await Promise.all([import('@florin/client/viem'), import('../../wallet/signer.ts')]);
  const signer = await connect(wallet);
  await signIn(client, signer, { domain: location.host, uri: location.origin });
  keepWallet({ rdns: wallet.info.rdns, address: signer.address });
  await readSession();
};

/** A sign-out that the platform does not know of: who uses this browser next could go on with the session. */
const Untold = () => {
  const { t } = useTranslator();
  const telling = useMutation({ mutationFn: () => signOut() });
  return (
    <div className="notice notice-bad" role="alert">
      <h3>{t('sign_in.untold_title')}</h3>
      <p>{t('sign_in.untold_lead')}</p>
      <Button small busy={telling.isPending} onClick={() => telling.mutate()}>
        {t('sign_in.untold_again')}
      </Button>
    </div>
  );
};

export const SignIn = () => {
  const { t } = useTranslator();
  const wallets = useWallets();
  const isUntold = useIsUntold();
  const signing = useMutation({ mutationFn: signInWith });
  return (
    <Page title={t('sign_in.title')} narrow>
      <p className="soft">{hasSessionEnded() ? t('sign_in.ended') : t('sign_in.lead')}</p>
      {isUntold ? <Untold /> : null}
      {kept.isForgetful() ? <p className="notice small">{t('sign_in.not_kept')}</p> : null}
      <section className="panel" aria-label={t('sign_in.wallets')}>
        {wallets.length === 0 ? (
          <Empty icon={<WalletIcon />} title={t('sign_in.none')} hint={t('sign_in.none_hint')}>
            <Button onClick={() => location.reload()}>{t('sign_in.reload')}</Button>
          </Empty>
        ) : (
          <>
            <h2>{t('sign_in.wallets')}</h2>
            <ul className="stack">
              {wallets.map((wallet) => {
                const isTest = wallet.info.rdns === TEST_WALLET_RDNS;
                const isBusy = signing.isPending && signing.variables.info.rdns === wallet.info.rdns;
                return (
                  <li key={wallet.info.rdns} className="stack-tight">
                    <Button
                      kind={isTest === (wallets.length === 1) ? 'primary' : 'plain'}
                      wide
                      busy={isBusy}
                      disabled={signing.isPending}
                      aria-label={isBusy ? undefined : t('sign_in.with', { wallet: wallet.info.name })}
                      onClick={() => signing.mutate(wallet)}
                    >
                      {isBusy ? null : <img src={wallet.info.icon} alt="" width="24" height="24" />}
                      {/* A wallet names itself, however long. */}
                      <span className="cut">{isBusy ? t('sign_in.waiting') : wallet.info.name}</span>
                    </Button>
                    {isTest ? <p className="field-hint">{t('sign_in.test_wallet_hint')}</p> : null}
                  </li>
                );
              })}
            </ul>
          </>
        )}
        <Failure error={signing.error} />
      </section>
    </Page>
  );
};
