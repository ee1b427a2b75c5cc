import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { openOperatorChannel } from './operator-channel.ts';
import type { PlatformInProcess } from './platform-in-process.ts';

/** Has the ledger replace an account. @returns false while it does not: an inspection has yet to find the history of the Safe */
export const replaceAccount = async (platform: PlatformInProcess, accountId: string): Promise<boolean> => {
  const baseUrl = platform.services.ledger.url;
  const ledger = openOperatorChannel(platform, { audience: 'ledger', baseUrl, scopes: [LEDGER_SCOPES.writeAccounts] });
  try {
    return await ledger
      .client(AccountService)
      .replaceAccount({ accountId })
      .then(
        () => true,
        () => false,
      );
  } finally {
    await ledger.close();
  }
};
