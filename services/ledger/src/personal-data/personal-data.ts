import { numberAt, type PersonalDataSection, personalDataService } from '@florin/data/privacy';
import { type ErasePersonalDataRequest, PersonalDataService } from '@florin/proto/privacy/v1/personal_data_service';
import { minorUnitOf } from '@florin/rpc/assets';
import { CodedError } from '@florin/rpc/errors';
import { type ServiceImplementation, serviceMethod } from '@florin/rpc/server';
import { hasMoney } from '../domain/account-state.ts';
import type { Movement, MovementList } from '../domain/movement.ts';
import { changeAccount, closed } from '../handlers/account-change.ts';
import { type Dependencies, requireAccount } from '../handlers/dependencies.ts';
import { ownedMethod } from '../handlers/owned-method.ts';

/**
 * Closes the accounts of a user who is being erased, former ones first. The journal decides: an account with money of the user, holds or movements under way is not
 * closed, and a closed account takes no payment or deposit any more. The entries stay: the law requires books to be kept.
 */
const closeForErasure = (dependencies: Dependencies) =>
  ownedMethod(
    dependencies.shards,
    PersonalDataService.method.erasePersonalData,
    serviceMethod,
    async ({ userId, includeBlocked }: ErasePersonalDataRequest) => {
      const [newest, ...former] = await dependencies.accounts.listByUser(userId);
      return { accountId: requireAccount(newest).id, former, includeBlocked };
    },
    // A successor is in the shard of its account.
    async ({ accountId, former, includeBlocked }, journal) => {
      const ids = [...former.map(({ id }) => id).toReversed(), accountId];
      const states = await Promise.all(ids.map((id) => journal.account(id)));
      // One that was replaced is blocked for good.
      if (states.at(-1)?.status === 'blocked' && !includeBlocked) throw new CodedError('USER_IS_BLOCKED');
      if (states.some((state) => state !== undefined && state.holds.size > 0)) throw new CodedError('USER_HAS_OPEN_HOLDS');
      // Before any of them is closed: a refusal changes nothing.
      if (states.some((state) => state !== undefined && hasMoney(state, (token) => minorUnitOf(dependencies.assets, token))))
        throw new CodedError('USER_HAS_BALANCE');
      for (const id of ids) {
        try {
          await changeAccount(dependencies, journal, closed(dependencies, id));
        } catch (error) {
          if (error instanceof CodedError && error.code === 'ACCOUNT_NOT_EMPTY') throw new CodedError('USER_HAS_BALANCE', { cause: error });
          throw error;
        }
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
      const ids = (await accounts.listByUser(userId)).map(({ id }) => id);
      const found: Movement[] = await movements.page(list, ids, { limit, before: numberAt(after) });
      return { records: found, next: found.length < limit ? undefined : String(found.at(-1)?.position) };
    },
  });

  return personalDataService({
    sections: [
      { kind: 'account', page: async (userId) => ({ records: await accounts.listByUser(userId) }) },
      movementsOf('deposit', 'deposits'),
      movementsOf('withdrawal', 'withdrawals'),
    ],
    runtime,
    erase: closeForErasure(dependencies),
  });
};
