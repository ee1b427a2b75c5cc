import type { Account } from '@florin/client';
import { canNameBackup } from '../../domain/recovery.ts';
import { chosenWallet } from '../../wallet/chosen-wallet.ts';
import { TEST_WALLET_RDNS } from '../../wallet/test-wallet.ts';

/** True if the wallet of the session can name a backup key for the account, and none is named. */
export const lacksBackup = ({ status, deployment }: Pick<Account, 'status' | 'deployment'>): boolean => {
  const chosen = chosenWallet();
  const wallet = chosen && { address: chosen.address, isTest: chosen.rdns === TEST_WALLET_RDNS };
  return deployment !== undefined && deployment.backup === undefined && canNameBackup({ status, deployment }, wallet);
};
