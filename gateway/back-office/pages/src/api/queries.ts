import type {
  Access,
  AuditCalls,
  CardRules,
  ChallengeDetail,
  DayClose,
  MoneyAccount,
  MoneyAllowance,
  MoneyTokens,
  Overview,
  Partners,
  Passkeys,
  PaymentDetail,
  Person,
  PersonNotes,
  Queue,
  QueueCounts,
  QueueItems,
  Recovery,
  Reserves,
  Settlement,
  SignInMethods,
  Summary,
  TrendDays,
  Trends,
} from '@florin/back-office/contract';
import { infiniteQueryOptions, QueryClient, queryOptions } from '@tanstack/react-query';
import { ask, hasCode } from './http.ts';
import type { ChainWatches, HaltOrders, OpenInvitations, Operators, OwnSessions, PartnerKeys, WebhookEndpoints } from './types.ts';

/** The pause before a repeated read: nothing is read twice that the audit log does not have twice. */
const PASSING = ['NETWORK_ERROR', 'TIMEOUT', 'SERVICE_UNAVAILABLE', 'UPSTREAM_TIMEOUT'];

/** Data is stale after a quarter of a minute: a person should see the present state. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (count, error) => count < 3 && PASSING.some((code) => hasCode(error, code)),
    },
    mutations: { retry: false },
  },
});

/** Lists that are being read anew though nobody asked for it. */
const polled = new Set<readonly string[]>();

/** Reads lists anew, by the beginning of their keys, though nobody asked for it. */
export const poll = async (list: readonly string[]): Promise<void> => {
  polled.add(list);
  await queries.invalidateQueries({ queryKey: list });
  polled.delete(list);
};

const isPolled = (key: readonly string[]): boolean => [...polled].some((list) => list.every((word, index) => word === key[index]));

const read = <Answer>(key: readonly string[], path: string) =>
  queryOptions({ queryKey: key, queryFn: ({ signal }) => ask<Answer>('GET', path, { signal, isPolled: isPolled(key) }) });

/** Answers that come in pages, by the path of the first one. */
export const pagesOf = <Answer extends { nextCursor?: string | undefined }>(key: readonly string[], path: string) =>
  infiniteQueryOptions({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => {
      const cursor = pageParam === '' ? '' : `${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(pageParam)}`;
      return ask<Answer>('GET', `${path}${cursor}`, { signal, isPolled: isPolled(key) });
    },
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/** Reads that belong to a person begin with these words, so that an action on one reads them anew. */
const of = (userId: string, ...more: readonly string[]) => ['people', userId, ...more] as const;

export const personPath = (userId: string): string => `/api/people/${encodeURIComponent(userId)}`;

/** Access of this operator to a person's file; null when the reason has to be given first. */
export const accessQuery = (userId: string) =>
  queryOptions({
    queryKey: ['access', userId],
    queryFn: async ({ signal }): Promise<Access | null> => {
      try {
        return await ask<Access>('GET', `${personPath(userId)}/access`, { signal });
      } catch (error) {
        if (hasCode(error, 'NOT_FOUND') || hasCode(error, 'REASON_REQUIRED')) return null;
        throw error;
      }
    },
  });

export const signInMethodsQuery = read<SignInMethods>(['sign-in'], '/api/sign-in');
export const overviewQuery = queryOptions({ ...read<Overview>(['overview'], '/api/overview'), refetchInterval: 60_000 });
/** How much waits in each queue: for the menu, and by its revisions for the screens of queues. */
export const queueCountsQuery = queryOptions({ ...read<QueueCounts>(['queues'], '/api/queues'), refetchInterval: 15_000 });
/** The open items of a queue. Another revision of the queue is read anew. */
export const queueQuery = (queue: Queue, revision: string) => read<QueueItems>(['queues', queue, revision], `/api/queues/${queue}`);
/** The last days of the program; they change slowly, and take more counting than the rest. */
export const trendsQuery = (days: TrendDays) =>
  queryOptions({ ...read<Trends>(['overview', 'trends', String(days)], `/api/overview/trends?days=${days}`), refetchInterval: 300_000 });
export const chainQuery = read<ChainWatches>(['chain', 'watches'], '/api/chain');
export const haltsQuery = read<HaltOrders>(['chain', 'halts'], '/api/chain/halts');
export const settlementQuery = read<Settlement>(['settlement'], '/api/settlement');
export const reservesQuery = queryOptions({ ...read<Reserves>(['reserves'], '/api/reserves'), staleTime: 300_000 });
export const dayCloseQuery = (day: string) =>
  queryOptions({ ...read<DayClose>(['settlement', day], `/api/settlement/days/${encodeURIComponent(day)}`), retry: false });
export const tokensQuery = queryOptions({ ...read<MoneyTokens>(['tokens'], '/api/money/tokens'), staleTime: 300_000 });
/** Of who is signed in. */
export const passkeysQuery = read<Passkeys>(['passkeys'], '/api/session/passkeys');
export const ownSessionsQuery = read<OwnSessions>(['sessions'], '/api/session/sessions');
export const invitationsQuery = read<OpenInvitations>(['operators', 'invitations'], '/api/operators/invitations');
export const operatorsQuery = read<Operators>(['operators'], '/api/operators');

/** An account that an order names. Its balance is that of the moment. */
export const moneyAccountQuery = (accountId: string) =>
  queryOptions({
    ...read<MoneyAccount>(['money', accountId], `/api/money/accounts/${encodeURIComponent(accountId)}`),
    retry: false,
  });

/** The amounts that this operator may move between two accounts at once, alone. Each order lessens them. */
export const allowanceQuery = (debit: string, credit: string) =>
  read<MoneyAllowance>(['money', 'allowance', debit, credit], `/api/money/allowance?${new URLSearchParams({ debit, credit })}`);

export const partnersQuery = queryOptions({ ...read<Partners>(['partners'], '/api/partners'), staleTime: 300_000 });

export const personQuery = (userId: string) => read<Person>(of(userId), personPath(userId));

/** The facts that a caller asks about. */
export const summaryQuery = (userId: string) => read<Summary>(of(userId, 'summary'), `${personPath(userId)}/summary`);

export const recoveryQuery = (userId: string) => read<Recovery>(of(userId, 'recovery'), `${personPath(userId)}/recovery`);

export const notesQuery = (userId: string) => read<PersonNotes>(of(userId, 'notes'), `${personPath(userId)}/notes`);

export const cardRulesQuery = (userId: string, cardId: string) =>
  read<CardRules>(of(userId, 'cards', cardId), `${personPath(userId)}/cards/${encodeURIComponent(cardId)}/rules`);

export const paymentQuery = (userId: string, paymentId: string) =>
  read<PaymentDetail>(of(userId, 'payments', paymentId), `${personPath(userId)}/payments/${encodeURIComponent(paymentId)}`);

export const challengeQuery = (userId: string, challengeId: string) =>
  read<ChallengeDetail>(of(userId, 'challenges', challengeId), `${personPath(userId)}/challenges/${encodeURIComponent(challengeId)}`);

/** A list of a person's file, by the last word of its path. */
export const fileQuery = <Answer extends { nextCursor?: string | undefined }>(userId: string, list: string) =>
  pagesOf<Answer>(of(userId, list), `${personPath(userId)}/${list}`);

export const partnerPath = (partnerId: string): string => `/api/partners/${encodeURIComponent(partnerId)}`;

/** The keys with which servers of a partner sign their tokens. */
export const partnerKeysQuery = (partnerId: string) =>
  queryOptions({ ...read<PartnerKeys>(['partners', partnerId, 'keys'], `${partnerPath(partnerId)}/keys`), retry: false });

/** Where a partner's events are delivered to. */
export const endpointsQuery = (partnerId: string) =>
  read<WebhookEndpoints>(['partners', partnerId, 'endpoints'], `${partnerPath(partnerId)}/endpoints`);

/** The filter of the audit log. `from` is included, `to` is not. Empty texts filter nothing. */
export type AuditFilter = { operatorId: string; userId: string; operation: string; code: string; from: string; to: string };

/** The audit log, newest first. */
export const auditQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam, signal }) => {
      const given = Object.entries({ ...filter, before: pageParam === 0 ? '' : String(pageParam) }).filter(([, value]) => value !== '');
      return ask<AuditCalls>('GET', `/api/audit?${new URLSearchParams(given)}`, { signal });
    },
    initialPageParam: 0,
    getNextPageParam: ({ nextBefore }) => nextBefore,
    staleTime: 0,
  });
