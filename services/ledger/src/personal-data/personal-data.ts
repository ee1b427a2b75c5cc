import { numberAt, type PersonalDataSection, personalDataService, singleRecord } from '@florin/data/privacy';
import { type ErasePersonalDataRequest, PersonalDataService } from '@florin/proto/privacy/v1/personal_data_service';
import { CodedError } from '@florin/rpc/errors';
import { type ServiceImplementation, serviceMethod } from '@florin/rpc/server';
import type { Movement, MovementList } from '../domain/movement.ts';
import { changeAccount, closed } from '../handlers/account-change.ts';
import { type Dependencies, requireAccount } from '../handlers/dependencies.ts';
import { ownedMethod } from '../handlers/owned-method.ts';

/**
 * Closes the account of a user who is being erased. The journal decides: an account with money of the user, holds or movements under way is not
 * closed, and a closed account takes no payment or deposit any more. The entries stay: the law requires books to be kept.
 */
const closeForErasure = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    PersonalDataService.method.erasePersonalData,
    serviceMethod,
    async ({ userId, includeBlocked }: ErasePersonalDataRequest) => {
      const { id: accountId } = requireAccount(await dependencies.accounts.findByUser(userId));
      return { accountId, includeBlocked };
    },
    async ({ accountId, includeBlocked }, journal) => {
      const account = await journal.account(accountId);
      if (account?.status === 'blocked' && !includeBlocked) throw new CodedError('USER_IS_BLOCKED');
      if (account !== undefined && account.holds.size > 0) throw new CodedError('USER_HAS_OPEN_HOLDS');
      try {
        await changeAccount(dependencies, journal, closed(dependencies, accountId));
      } catch (error) {
        if (error instanceof CodedError && error.code === 'ACCOUNT_NOT_EMPTY') throw new CodedError('USER_HAS_BALANCE', { cause: error });
        throw error;
      }
      return {};
    },
  );

/** The RPCs about the personal data of the ledger: account and movements. */
export const servePersonalData = (dependencies: Dependencies): ServiceImplementation => {
  const { accounts, movements, runtime } = dependencies;

  const movementsOf = (kind: string, list: MovementList): PersonalDataSection => ({
    kind,
    page: async (userId, { limit, after }) => {
      const account = await accounts.findByUser(userId);
      if (account === undefined) return { records: [] };
      const found: Movement[] = await movements.page(list, account.id, { limit, before: numberAt(after) });
      return { records: found, next: found.length < limit ? undefined : String(found.at(-1)?.position) };
    },
  });

  return personalDataService({
    sections: [singleRecord('account', accounts.findByUser), movementsOf('deposit', 'deposits'), movementsOf('withdrawal', 'withdrawals')],
    runtime,
    erase: closeForErasure(dependencies),
  });
};
