import { kept } from '@florin/ui/page/kept.ts';

const NAME = 'florin.backup-key-put-off';

/** True if the person has put off naming a backup key for an account, or has signed it: until the chain has confirmed that, the account does not show it. */
export const isBackupPutOff = (accountId: string): boolean => kept.read(NAME) === accountId;

export const putOffBackup = (accountId: string): void => kept.keep(NAME, accountId);
