import type { Passkey } from '@florin/back-office/contract';
import { Time } from '@florin/ui/parts/time.tsx';
import type { ReactNode } from 'react';
import { useTranslator } from '../i18n/i18n.ts';
import { Table } from './table.tsx';

/** The name of a passkey: by its operator, or by when it was made. */
export const usePasskeyName = () => {
  const { t } = useTranslator();
  return ({ name }: Passkey): string => name ?? t('passkeys.unnamed');
};

/** Passkeys of an operator. @param actions what can be done with each */
export const PasskeysTable = ({ passkeys, actions }: { passkeys: readonly Passkey[]; actions: (passkey: Passkey) => ReactNode }) => {
  const { t } = useTranslator();
  const nameOf = usePasskeyName();
  return (
    <Table
      caption={t('operators.passkeys')}
      rows={passkeys}
      keyOf={({ id }) => id}
      columns={[
        {
          head: t('operators.name'),
          cell: (passkey) => <span className={passkey.name === undefined ? 'soft' : 'strong'}>{nameOf(passkey)}</span>,
        },
        { head: t('passkeys.made'), cell: ({ createdAt }) => <Time at={createdAt} look="short" /> },
        {
          head: t('passkeys.used'),
          cell: ({ lastUsedAt }) => (lastUsedAt === undefined ? t('operators.never') : <Time at={lastUsedAt} look="short" />),
        },
        { head: ' ', end: true, cell: actions },
      ]}
    />
  );
};
