import { undefinedOn, withinRequest } from '@florin/rpc/client';
import type { ErrorCode } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { accountOwners } from '../clients/account-owners.ts';
import type { Services } from '../clients/services.ts';
import type { SearchResult } from '../contract/index.ts';

export type Match = SearchResult['people'][number]['match'];

/** Something that was found, with its owner. */
export type Hit = { userId: string; match: Match };

/** Something that was found, with the account that it belongs to. */
type AccountHit = { accountId: string; match: Match };

export type Call = { requestId: string };

/** The most that a search returns of anything. */
export const LIMIT = 20;

/** A payment reference of an account, as people write it: in groups, in any case. */
const CREDITOR_REFERENCE = /^RF[0-9]{2}[0-9A-Z]{1,21}$/;

type Hits = { hits: Hit[]; hasMore: boolean };

/** Looks things up at the services that have them, by exact names only. */
export const createLookUps = (services: Services) => {
  /** The owners of accounts. Accounts of nobody are left out. */
  const ofAccounts = async (found: readonly AccountHit[], call: Call): Promise<Hit[]> => {
    const accountIds = found.map(({ accountId }) => accountId);
    const owners = await accountOwners(services, accountIds, withinRequest(call));
    return found.flatMap(({ accountId, match }) => {
      const userId = owners.get(accountId);
      return userId === undefined ? [] : [{ userId, match }];
    });
  };

  /** The result of an RPC that finds by id, as a list of none or one. */
  const one = async <T>(code: ErrorCode, request: Promise<T>, read: (found: T) => AccountHit | undefined): Promise<AccountHit[]> => {
    const found = await undefinedOn(code, request);
    const hit = found === undefined ? undefined : read(found);
    return hit === undefined ? [] : [hit];
  };
  const hitOf = (kind: Match['kind'], found: { id: string; accountId: string } | undefined): AccountHit | undefined =>
    found === undefined ? undefined : { accountId: found.accountId, match: { kind, id: found.id } };

  const account = async (key: { case: 'accountId' | 'reference'; value: string }, call: Call): Promise<Hit[]> => {
    const found = (await undefinedOn('ACCOUNT_NOT_FOUND', services.accounts.getAccount({ key }, withinRequest(call))))?.account;
    return found === undefined ? [] : [{ userId: found.userId, match: { kind: 'account', id: found.id } }];
  };
  const person = async (userId: string, call: Call): Promise<Hit[]> => {
    const found = await undefinedOn('USER_NOT_FOUND', services.users.getUser({ userId }, withinRequest(call)));
    return found === undefined ? [] : [{ userId, match: { kind: 'person', id: userId } }];
  };
  const card = async (cardId: string, call: Call): Promise<Hit[]> => {
    const found = (await undefinedOn('CARD_NOT_FOUND', services.cards.getCard({ cardId }, withinRequest(call))))?.card;
    return found === undefined ? [] : [{ userId: found.userId, match: { kind: 'card', id: found.id } }];
  };

  /** The object with this id, of any kind. */
  const byId = async (id: string, call: Call): Promise<Hit[]> => {
    const options = withinRequest(call);
    const { payments, challenges, movements } = services;
    const [people, accounts, cards, ...rest] = await Promise.all([
      person(id, call),
      account({ case: 'accountId', value: id }, call),
      card(id, call),
      one('PAYMENT_NOT_FOUND', payments.getPayment({ paymentId: id }, options), ({ payment }) => hitOf('payment', payment)),
      one('CHALLENGE_NOT_FOUND', challenges.getChallenge({ challengeId: id }, options), ({ challenge }) => hitOf('challenge', challenge)),
      one('DEPOSIT_NOT_FOUND', movements.getDeposit({ depositId: id }, options), ({ deposit }) => hitOf('deposit', deposit)),
      one('WITHDRAWAL_NOT_FOUND', movements.getWithdrawal({ withdrawalId: id }, options), ({ withdrawal }) =>
        hitOf('withdrawal', withdrawal),
      ),
    ]);
    return [...people, ...accounts, ...cards, ...(await ofAccounts(rest.flat(), call))];
  };

  /** The terms of processors, the card network and access control servers. */
  const byForeignName = async (reference: string, call: Call): Promise<Hits> => {
    const wanted = { reference, limit: LIMIT };
    const [paid, raised] = await Promise.all([
      services.payments.findPaymentsByReference(wanted, withinRequest(call)),
      services.challenges.findChallenges(wanted, withinRequest(call)),
    ]);
    const found = [
      ...paid.payments.map(({ id, accountId }): AccountHit => ({ accountId, match: { kind: 'payment', id } })),
      ...raised.challenges.map(({ id, accountId }): AccountHit => ({ accountId, match: { kind: 'challenge', id } })),
    ];
    return { hits: await ofAccounts(found, call), hasMore: paid.hasMore || raised.hasMore };
  };

  return {
    ofAccounts,
    person,

    /**
     * The things that an id or a name from outside leads to. A name may have the form of an id.
     * @param reference 1 to 100 printable characters
     */
    reference: async (reference: string, call: Call): Promise<Hits> => {
      const id = uuidSchema.safeParse(reference);
      const creditorReference = reference.replaceAll(' ', '').toUpperCase();
      const [own, accounts, foreign] = await Promise.all([
        id.success ? byId(id.data, call) : [],
        CREDITOR_REFERENCE.test(creditorReference) ? account({ case: 'reference', value: creditorReference }, call) : [],
        byForeignName(reference, call),
      ]);
      return { hits: [...own, ...accounts, ...foreign.hits], hasMore: foreign.hasMore };
    },

    /** Deposits and withdrawals that a transaction carries. */
    movements: async (txHash: string, call: Call): Promise<Hits> => {
      const wanted = { txHash, limit: LIMIT };
      const [arrived, left] = await Promise.all([
        services.movements.findDeposits(wanted, withinRequest(call)),
        services.movements.findWithdrawals(wanted, withinRequest(call)),
      ]);
      const found = [
        ...arrived.deposits.map(({ id, accountId }): AccountHit => ({ accountId, match: { kind: 'deposit', id } })),
        ...left.withdrawals.map(({ id, accountId }): AccountHit => ({ accountId, match: { kind: 'withdrawal', id } })),
      ];
      return { hits: await ofAccounts(found, call), hasMore: arrived.hasMore || left.hasMore };
    },
  };
};
