import { undefinedOn, withinRequest } from '@florin/rpc/client';
import type { ErrorCode } from '@florin/rpc/errors';
import { z } from 'zod';
import { actorOf } from '../audit/recorder.ts';
import type { Services } from '../clients/services.ts';
import { type SearchResult, searchBody } from '../contract/index.ts';
import { type Endpoint, parse } from '../http/endpoint.ts';
import { isoOf, maskEmail } from '../views/words.ts';
import type { Dependencies } from './dependencies.ts';

type Match = SearchResult['people'][number]['match'];
type Found = { userId: string; match: Match };
type Call = { requestId: string };
type Search = (value: string, call: Call) => Promise<{ found: Found[]; hasMore: boolean }>;

/** The most people that a search returns. */
const LIMIT = 20;

const uuid = z.uuid('must be a UUID').toLowerCase();

/** Where a reference may lead. Each looks up one kind of thing, and returns nothing when there is none. */
const lookups = (services: Services) => {
  const unless = async <T>(code: ErrorCode, call: Promise<T>, read: (found: T) => Promise<Found | undefined> | Found | undefined) => {
    const found = await undefinedOn(code, call);
    return found === undefined ? undefined : read(found);
  };
  const ofAccount = async (accountId: string, match: Match, call: Call): Promise<Found | undefined> =>
    unless(
      'ACCOUNT_NOT_FOUND',
      services.accounts.getAccount({ key: { case: 'accountId', value: accountId } }, withinRequest(call)),
      ({ account }) => (account === undefined ? undefined : { userId: account.userId, match }),
    );
  const one = (kind: Match['kind'], id: string): Match => ({ kind, id });

  const person = (userId: string, call: Call) =>
    unless('USER_NOT_FOUND', services.users.getUser({ userId }, withinRequest(call)), () => ({ userId, match: one('person', userId) }));
  const references = [
    (id: string, call: Call) => ofAccount(id, one('account', id), call),
    (id: string, call: Call) =>
      unless('CARD_NOT_FOUND', services.cards.getCard({ cardId: id }, withinRequest(call)), ({ card }) =>
        card === undefined ? undefined : { userId: card.userId, match: one('card', id) },
      ),
    (id: string, call: Call) =>
      unless('PAYMENT_NOT_FOUND', services.payments.getPayment({ paymentId: id }, withinRequest(call)), ({ payment }) =>
        payment === undefined ? undefined : ofAccount(payment.accountId, one('payment', id), call),
      ),
    (id: string, call: Call) =>
      unless('CHALLENGE_NOT_FOUND', services.challenges.getChallenge({ challengeId: id }, withinRequest(call)), ({ challenge }) =>
        challenge === undefined ? undefined : ofAccount(challenge.accountId, one('challenge', id), call),
      ),
    (id: string, call: Call) =>
      unless('DEPOSIT_NOT_FOUND', services.movements.getDeposit({ depositId: id }, withinRequest(call)), ({ deposit }) =>
        deposit === undefined ? undefined : ofAccount(deposit.accountId, one('deposit', id), call),
      ),
    (id: string, call: Call) =>
      unless('WITHDRAWAL_NOT_FOUND', services.movements.getWithdrawal({ withdrawalId: id }, withinRequest(call)), ({ withdrawal }) =>
        withdrawal === undefined ? undefined : ofAccount(withdrawal.accountId, one('withdrawal', id), call),
      ),
  ];
  return { person, references };
};

const searches = (services: Services): Readonly<Record<z.output<typeof searchBody>['by'], Search>> => {
  const { person, references } = lookups(services);
  const byKey = async (key: { case: 'email' | 'wallet'; value: string }, call: Call) => {
    const { users } = await services.users.findUsers({ key }, withinRequest(call));
    return { found: users.map(({ id }): Found => ({ userId: id, match: { kind: 'person', id } })), hasMore: false };
  };
  const present = (found: readonly (Found | undefined)[]) => ({ found: found.filter((one) => one !== undefined), hasMore: false });
  return {
    email: (value, call) => byKey({ case: 'email', value }, call),
    wallet: (value, call) => byKey({ case: 'wallet', value }, call),
    last4: async (last4, call) => {
      const { cards, hasMore } = await services.cards.findCards({ last4, limit: LIMIT }, withinRequest(call));
      return { found: cards.map(({ id, userId }): Found => ({ userId, match: { kind: 'card', id } })), hasMore };
    },
    id: async (value, call) => present([await person(parse(uuid, value), call)]),
    reference: async (value, call) => present(await Promise.all(references.map((lookUp) => lookUp(parse(uuid, value), call)))),
  };
};

/** Finds people. What is searched for is in the audit log as a keyed hash only, whom it found by their ids in what is read next. */
export const searchEndpoints = ({ services, record }: Dependencies): Endpoint[] => {
  const by = searches(services);
  return [
    {
      method: 'POST',
      path: '/api/searches',
      access: 'people.read',
      handle: async ({ requestId, body }, { operator }) => {
        const search = parse(searchBody, body);
        const call = { actor: actorOf(operator._id), operation: `people.search.${search.by}`, reason: search.reason, requestId };
        return record({ ...call, subjects: {}, request: search }, async () => {
          const { found, hasMore } = await by[search.by](search.value, { requestId });
          const { users } =
            found.length === 0
              ? { users: [] }
              : await services.users.batchGetUsers(
                  { userIds: [...new Set(found.map(({ userId }) => userId))] },
                  withinRequest({ requestId }),
                );
          const known = new Map(users.map((user) => [user.id, user]));
          const people = found.flatMap(({ userId, match }) => {
            const user = known.get(userId);
            return user === undefined ? [] : [{ userId, email: maskEmail(user.email), registeredAt: isoOf(user.createdAt), match }];
          });
          const result: SearchResult = { people, hasMore };
          return { body: result };
        });
      },
    },
  ];
};
