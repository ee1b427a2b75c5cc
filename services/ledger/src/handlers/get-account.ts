import type { GetAccountRequest } from '@florin/proto/ledger/v1/account_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Account } from '../domain/account.ts';
import { type Dependencies, requireAccount } from './dependencies.ts';
import { toWireAccount } from './to-wire.ts';

/**
 * Any account, for the platform's services.
 * @throws CodedError ACCOUNT_NOT_FOUND, VALIDATION_FAILED
 */
export const getAccount = ({ accounts, references }: Dependencies) => {
  const lookUp = async ({ case: by, value = '' }: GetAccountRequest['key']): Promise<Account | undefined> => {
    if (by === 'userId') return accounts.findByUser(value);
    const accountId = by === 'accountId' ? value : await references.accountOf(value);
    return accountId === undefined ? undefined : accounts.find(accountId);
  };
  return serviceMethod(async ({ key }: GetAccountRequest) => ({ account: toWireAccount(requireAccount(await lookUp(key))) }));
};
