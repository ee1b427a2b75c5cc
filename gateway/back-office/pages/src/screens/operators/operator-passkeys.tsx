import type { Operator, Passkey } from '@florin/back-office/contract';
import { Button } from '@florin/ui/parts/button.tsx';
import { Sheet } from '@florin/ui/parts/sheet.tsx';
import { useState } from 'react';
import { useTranslator } from '../../i18n/i18n.ts';
import { ActionDialog } from '../../parts/action-dialog.tsx';
import { PasskeysTable, usePasskeyName } from '../../parts/passkeys-table.tsx';

/** The passkeys of another operator, of whom an administrator ends one that was lost. */
export const OperatorPasskeys = ({ of: { id, name, passkeys }, onClose }: { of: Operator; onClose: () => void }) => {
  const { t } = useTranslator();
  const nameOf = usePasskeyName();
  const [asked, setAsked] = useState<Passkey>();
  if (asked !== undefined) {
    return (
      <ActionDialog
        title={t('passkeys.end_title', { name: nameOf(asked) })}
        lead={t('passkeys.end_lead', { name })}
        action={t('passkeys.end')}
        danger
        path={`/api/operators/${encodeURIComponent(id)}/passkeys/${asked.id}/end`}
        touches={[['operators']]}
        done={t('passkeys.ended')}
        onClose={onClose}
      />
    );
  }
  return (
    <Sheet title={t('passkeys.of', { name })} onClose={onClose} drawer>
      {passkeys.length === 0 ? (
        <p className="soft">{t('passkeys.none')}</p>
      ) : (
        <PasskeysTable
          passkeys={passkeys}
          actions={(passkey) => (
            <Button small onClick={() => setAsked(passkey)}>
              {t('passkeys.end')}
            </Button>
          )}
        />
      )}
    </Sheet>
  );
};
