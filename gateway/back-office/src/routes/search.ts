import type { WatchException } from '@florin/proto/chain/v1/watch';
import type { Assets } from '@florin/rpc/assets';
import { withinRequest } from '@florin/rpc/client';
import { uuidSchema } from '@florin/rpc/fields';
import { z } from 'zod';
import { actorOf } from '../audit/recorder.ts';
import type { Services } from '../clients/services.ts';
import { type Permission, permissionsOf, type SearchResult, searchBody } from '../contract/index.ts';
import { type Endpoint, parse } from '../http/endpoint.ts';
import { toException } from '../views/chain.ts';
import { isoOf, maskEmail } from '../views/words.ts';
import type { Dependencies } from './dependencies.ts';
import { type Call, createLookUps, type Hit, LIMIT } from './look-up.ts';

/** The results of a search; `exceptions` are transfers that need a person. */
type Outcome = { hits: Hit[]; exceptions?: readonly WatchException[]; hasMore?: boolean };
type Search = (value: string, call: Call & { permissions: readonly Permission[] }) => Promise<Outcome>;

const reference = z.string().regex(/^[^\p{C}\p{Zl}\p{Zp}]{1,100}$/u, 'must be 1 to 100 printable characters');
const txHash = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hex digits')
  .transform((text) => text.toLowerCase());

const searches = (services: Services): Readonly<Record<z.output<typeof searchBody>['by'], Search>> => {
  const lookUps = createLookUps(services);
  const byKey = async (key: { case: 'email' | 'wallet'; value: string }, call: Call): Promise<Outcome> => {
    const { users } = await services.users.findUsers({ key }, withinRequest(call));
    return { hits: users.map(({ id }): Hit => ({ userId: id, match: { kind: 'person', id } })) };
  };
  /** Transfers of a transaction that need a person; none for those who may not read them. */
  const exceptionsOf = async (hash: string, { requestId, permissions }: Parameters<Search>[1]) => {
    if (services.watches === undefined || !permissions.includes('chain.read')) return { exceptions: [], hasMore: false };
    const wanted = { txHash: hash, page: { limit: LIMIT, cursor: '' } };
    const { exceptions, page } = await services.watches.listExceptions(wanted, withinRequest({ requestId }));
    return { exceptions, hasMore: (page?.nextCursor ?? '') !== '' };
  };
  return {
    email: (value, call) => byKey({ case: 'email', value }, call),
    wallet: (value, call) => byKey({ case: 'wallet', value }, call),
    last4: async (last4, call) => {
      const { cards, hasMore } = await services.cards.findCards({ last4, limit: LIMIT }, withinRequest(call));
      return { hits: cards.map(({ id, userId }): Hit => ({ userId, match: { kind: 'card', id } })), hasMore };
    },
    id: async (value, call) => ({ hits: await lookUps.person(parse(uuidSchema, value), call) }),
    reference: (value, call) => lookUps.reference(parse(reference, value), call),
    transaction: async (value, call) => {
      const hash = parse(txHash, value);
      const [booked, open] = await Promise.all([lookUps.movements(hash, call), exceptionsOf(hash, call)]);
      const found = open.exceptions.map(({ id, accountId }) => ({ accountId, match: { kind: 'exception' as const, id } }));
      const hits = [...booked.hits, ...(await lookUps.ofAccounts(found, call))];
      return { hits, exceptions: open.exceptions, hasMore: booked.hasMore || open.hasMore };
    },
  };
};

/** The people of what was found, each thing once. */
const toResult = async (services: Services, outcome: Outcome, call: Call, assets: Assets): Promise<SearchResult> => {
  const once = [...new Map(outcome.hits.map((hit) => [`${hit.match.kind} ${hit.match.id}`, hit])).values()];
  const hits = once.slice(0, LIMIT);
  const userIds = [...new Set(hits.map(({ userId }) => userId))];
  const { users } = userIds.length === 0 ? { users: [] } : await services.users.batchGetUsers({ userIds }, withinRequest(call));
  const known = new Map(users.map((user) => [user.id, user]));
  return {
    people: hits.flatMap(({ userId, match }) => {
      const user = known.get(userId);
      return user === undefined ? [] : [{ userId, email: maskEmail(user.email), registeredAt: isoOf(user.createdAt), match }];
    }),
    exceptions: outcome.exceptions?.map((one) => toException(one, assets)) ?? [],
    hasMore: outcome.hasMore === true || once.length > LIMIT,
  };
};

/** Finds people. The audit log has a keyed hash of the searched text; the ids of the people found are in the records of later reads. */
export const searchEndpoints = ({ services, record, assets }: Dependencies): Endpoint[] => {
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
          const outcome = await by[search.by](search.value, { requestId, permissions: permissionsOf(operator.roles) });
          return { body: await toResult(services, outcome, { requestId }, assets) };
        });
      },
    },
  ];
};
