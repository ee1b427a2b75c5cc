import { Button } from '@florin/ui/parts/button.tsx';
import { Facts } from '@florin/ui/parts/facts.tsx';
import { Failure, OneFailure, SupportLink } from '@florin/ui/parts/failure.tsx';
import { Page } from '@florin/ui/parts/page.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { userQuery } from '../../api/queries.ts';
import { supportUrl } from '../../environment.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { chosenWallet } from '../../wallet/chosen-wallet.ts';
import { TEST_WALLET_RDNS } from '../../wallet/test-wallet.ts';
import { AccessLog } from './access-log.tsx';
import { BackupKey } from './backup-key.tsx';
import { ChangePhone } from './change-phone.tsx';
import { Leave } from './leave.tsx';
import { Notifications } from './notifications.tsx';
import { PersonalData } from './personal-data.tsx';
import { Recovery } from './recovery.tsx';
import { Sessions } from './sessions.tsx';
import { Wallets } from './wallets.tsx';

const Person = () => {
  const { t } = useTranslator();
  const user = useQuery(userQuery);
  const [isChanging, setChanging] = useState(false);
  if (user.isPending) return <SkeletonRows rows={1} />;
  if (user.isError) return <Failure error={user.error} onRetry={() => void user.refetch()} />;
  const { email, phone } = user.data;
  return (
    <>
      <Facts
        facts={[
          [t('security.email'), email],
          [t('security.phone'), phone ?? t('security.no_phone')],
        ]}
      />
      {/* The first card brings the first number. */}
      {phone === undefined ? null : <Button onClick={() => setChanging(true)}>{t('phone.change_title')}</Button>}
      {isChanging ? <ChangePhone onClose={() => setChanging(false)} /> : null}
    </>
  );
};

/** Wallets, sessions and devices of the account, and the readers of card data. */
export const Security = () => {
  const { t } = useTranslator();
  return (
    <Page title={t('security.title')}>
      <OneFailure>
        <div className="columns">
          <div>
            <Recovery />
            <Sessions />
            <Wallets />
            <AccessLog />
          </div>
          <div>
            <section className="panel">
              <h2>{t('security.person')}</h2>
              <Person />
            </section>
            {supportUrl() === undefined ? null : (
              <section className="panel">
                <h2>{t('help.title')}</h2>
                <p>
                  {t('help.lead')} <SupportLink />
                </p>
              </section>
            )}
            <Notifications />
            <BackupKey />
            <Leave />
            <PersonalData />
            {chosenWallet()?.rdns === TEST_WALLET_RDNS ? <p className="notice small">{t('sandbox.key')}</p> : null}
          </div>
        </div>
      </OneFailure>
    </Page>
  );
};
