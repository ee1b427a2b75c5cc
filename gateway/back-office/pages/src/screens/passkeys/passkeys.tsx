import type { Passkey } from '@florin/back-office/contract';
import { Button } from '@florin/ui/parts/button.tsx';
import { Failure } from '@florin/ui/parts/failure.tsx';
import { Page } from '@florin/ui/parts/page.tsx';
import { SkeletonRows } from '@florin/ui/parts/skeleton.tsx';
import { showToast } from '@florin/ui/parts/toast.tsx';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { passkeysQuery } from '../../api/queries.ts';
import { addPasskey } from '../../api/session.ts';
import { useTranslator } from '../../i18n/i18n.ts';
import { ActionDialog } from '../../parts/action-dialog.tsx';
import { PasskeysTable, usePasskeyName } from '../../parts/passkeys-table.tsx';
import { NamePasskey } from './name-passkey.tsx';
import { OwnProvider } from './own-provider.tsx';
import { OwnSessions } from './own-sessions.tsx';

/** The passkeys of who is signed in. */
export const PasskeysScreen = () => {
  const { t } = useTranslator();
  const nameOf = usePasskeyName();
  const found = useQuery(passkeysQuery);
  const [asked, setAsked] = useState<{ what: 'name' | 'end'; passkey: Passkey }>();
  const adding = useMutation({ mutationFn: addPasskey, onSuccess: () => showToast(t('office.passkey_added')) });
  const close = () => setAsked(undefined);
  return (
    <Page
      title={t('passkeys.title')}
      action={
        <Button kind="primary" busy={adding.isPending} onClick={() => adding.mutate()}>
          {t('office.add_passkey')}
        </Button>
      }
    >
      <Failure error={adding.error} />
      <section className="panel">
        <p className="soft">{t('passkeys.lead')}</p>
        {found.isPending ? <SkeletonRows rows={1} /> : null}
        <Failure error={found.error} onRetry={() => void found.refetch()} />
        {found.data === undefined ? null : (
          <PasskeysTable
            passkeys={found.data.passkeys}
            actions={(passkey) => (
              <span className="row-actions">
                <Button small onClick={() => setAsked({ what: 'name', passkey })}>
                  {t('passkeys.name')}
                </Button>
                <Button small onClick={() => setAsked({ what: 'end', passkey })}>
                  {t('passkeys.end')}
                </Button>
              </span>
            )}
          />
        )}
      </section>
      <OwnProvider />
      <OwnSessions />
      {asked?.what === 'name' ? <NamePasskey of={asked.passkey} onClose={close} /> : null}
      {asked?.what === 'end' ? (
        <ActionDialog
          title={t('passkeys.end_title', { name: nameOf(asked.passkey) })}
          lead={t('passkeys.end_own_lead')}
          action={t('passkeys.end')}
          danger
          confirms={t('passkeys.confirms')}
          path={`/api/session/passkeys/${asked.passkey.id}/end`}
          touches={[['passkeys'], ['session']]}
          done={t('passkeys.ended')}
          onClose={close}
        />
      ) : null}
    </Page>
  );
};
