import type { withinRequest } from '@florin/rpc/client';
import type { Services } from './services.ts';

/** Reads the owners of up to a hundred accounts, by account. Accounts of nobody are left out. */
export const accountOwners = async (
  { accounts }: Pick<Services, 'accounts'>,
  accountIds: readonly string[],
  options: ReturnType<typeof withinRequest>,
): Promise<ReadonlyMap<string, string>> => {
  if (accountIds.length === 0) return new Map();
  const found = await accounts.batchGetAccounts({ accountIds: [...new Set(accountIds)] }, options);
  return new Map(found.accounts.map(({ id, userId }) => [id, userId]));
};
