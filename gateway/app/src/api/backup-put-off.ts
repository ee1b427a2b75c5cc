import { kept } from '@florin/ui/page/kept.ts';
import { useSyncExternalStore } from 'react';

const nameOf = (accountId: string): string => `florin.backup-key-put-off.${accountId}`;

const listeners = new Set<() => void>();

/** True if the person has put off naming a backup key for an account, or has signed it: until the chain has confirmed that, the account does not show it. */
export const isBackupPutOff = (accountId: string): boolean => kept.read(nameOf(accountId)) !== undefined;

export const putOffBackup = (accountId: string): void => {
  kept.keep(nameOf(accountId), 'yes');
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useIsBackupPutOff = (accountId = ''): boolean => useSyncExternalStore(subscribe, () => isBackupPutOff(accountId));
