import { kept } from '@florin/ui/page/kept.ts';
import { createListeners } from '@florin/ui/page/listeners.ts';
import { useSyncExternalStore } from 'react';

const nameOf = (accountId: string): string => `florin.backup-key-put-off.${accountId}`;

const { tell, subscribe } = createListeners();

/** True if the person has put off naming a backup key for an account, or has signed it: until the chain has confirmed that, the account does not show it. */
export const isBackupPutOff = (accountId: string): boolean => kept.read(nameOf(accountId)) !== undefined;

export const putOffBackup = (accountId: string): void => {
  kept.keep(nameOf(accountId), 'yes');
  tell();
};

export const useIsBackupPutOff = (accountId = ''): boolean => useSyncExternalStore(subscribe, () => isBackupPutOff(accountId));
