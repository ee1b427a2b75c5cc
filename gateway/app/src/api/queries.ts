import { type InfiniteData, infiniteQueryOptions, QueryClient, type QueryKey, queryOptions } from '@tanstack/react-query';
import type { filterOf } from '../domain/payment-search.ts';
import { periodOf } from '../domain/spending.ts';
import type { Topic } from '../domain/touched-by.ts';
import { client } from './client.ts';
import { readLastLines, readRows } from './read-rows.ts';

/**
 * The client repeats requests by itself, so a query that failed has failed. Events refresh what changed; everything else is old after half a minute. An action without a
 * connection fails and says so, instead of happening later.
 */
export const queries = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 30_000 }, mutations: { retry: false, networkMode: 'always' } },
});

const PAGE = 25;

/** The rows of the pages that were read. */
export const rowsOf = <Row>(read: InfiniteData<{ data: readonly Row[] }> | undefined): Row[] =>
  read?.pages.flatMap(({ data }) => data) ?? [];

type Asked = { limit: number; cursor?: string };

/** A list that is read page by page, newest first. */
const listQuery = <Page extends { pagination: { nextCursor?: string | null | undefined } }, const Key extends QueryKey>(
  queryKey: Key,
  read: (asked: Asked, options: { signal: AbortSignal }) => Promise<Page>,
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => read({ limit: PAGE, ...(pageParam === '' ? {} : { cursor: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
  });

export const onboardingQuery = queryOptions({
  queryKey: ['onboarding'],
  queryFn: ({ signal }) => client.user.getOnboarding({}, { signal }),
});

/** The platform's capabilities, which change with a release only. */
export const capabilitiesQuery = queryOptions({
  queryKey: ['capabilities'],
  queryFn: ({ signal }) => client.health.getCapabilities({}, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

export const notificationsQuery = queryOptions({
  queryKey: ['notifications', 'preferences'],
  queryFn: ({ signal }) => client.notifications.getNotificationPreferences({}, { signal }),
});

export const userQuery = queryOptions({ queryKey: ['user'], queryFn: ({ signal }) => client.user.getUser({}, { signal }) });

export const accountQuery = queryOptions({ queryKey: ['account'], queryFn: ({ signal }) => client.userAccount.getAccount({}, { signal }) });

export const balancesQuery = queryOptions({
  queryKey: ['balances'],
  queryFn: ({ signal }) => client.userAccount.getBalances({}, { signal }),
});

/** A request is on the chain after some blocks. */
const RECOVERY_MS = 5000;

export const recoveryQuery = queryOptions({
  queryKey: ['account', 'recovery'],
  queryFn: async ({ signal }) => (await client.userAccount.getRecovery({}, { signal })).recovery ?? null,
  // No event tells that the request is on the chain.
  refetchInterval: ({ state }) => (state.data?.status === 'requested' ? RECOVERY_MS : false),
});

export const allowanceQuery = queryOptions({
  queryKey: ['account', 'allowance'],
  queryFn: async ({ signal }) => (await client.userAccount.listCollectionAllowances({}, { signal })).data,
});

export const movesQuery = queryOptions({
  queryKey: ['movements', 'moves'],
  queryFn: ({ signal }) => client.userMovements.listMoves({}, { signal }),
});

export const returnsQuery = queryOptions({
  queryKey: ['movements', 'returns'],
  queryFn: async ({ signal }) => (await client.userMovements.listReturns({}, { signal })).data,
});

export const cardsQuery = queryOptions({
  queryKey: ['cards', 'list'],
  queryFn: async ({ signal }) => (await client.cards.listCards({ limit: 100 }, { signal })).data,
});

export const cardQuery = (cardId: string) =>
  queryOptions({
    queryKey: ['cards', 'one', cardId],
    queryFn: ({ signal }) => client.cards.getCard({ cardId }, { signal }),
    // The list has it, also without a connection.
    placeholderData: () => queries.getQueryData(cardsQuery.queryKey)?.find(({ id }) => id === cardId),
  });

export const limitsQuery = (cardId: string) =>
  queryOptions({ queryKey: ['cards', 'limits', cardId], queryFn: ({ signal }) => client.cards.getCardLimits({ cardId }, { signal }) });

export const controlsQuery = (cardId: string) =>
  queryOptions({ queryKey: ['cards', 'controls', cardId], queryFn: ({ signal }) => client.cards.getCardControls({ cardId }, { signal }) });

export const paymentsQuery = (filter: { cardId?: string } & ReturnType<typeof filterOf> = {}) =>
  listQuery(['payments', 'list', filter], (asked, options) => client.cards.listCardTransactions({ ...filter, ...asked }, options));

/** The lines of the statement in a month, for example `2026-11`. */
export const readStatement = (month: string) => readRows(periodOf(month), (asked) => client.userMovements.listStatement(asked));

/** The last line of each token before a month, as far as it was read. */
export const readLinesBefore = (month: string, tokens: readonly string[]) =>
  readLastLines({ to: periodOf(month).from }, tokens, (asked) => client.userMovements.listStatement(asked));

/** The payments of a month, the latest first, for example of `2026-11`; `isWhole` unless there are more than are read. */
export const monthQuery = (month: string) =>
  queryOptions({
    queryKey: ['payments', 'month', month],
    queryFn: async ({ signal }) => {
      const { rows, isWhole } = await readRows(periodOf(month), (asked) => client.cards.listCardTransactions(asked, { signal }));
      return { payments: rows, isWhole };
    },
  });

export const paymentQuery = (transactionId: string) =>
  queryOptions({
    queryKey: ['payments', 'one', transactionId],
    queryFn: ({ signal }) => client.cards.getCardTransaction({ transactionId }, { signal }),
  });

export const receiptQuery = (transactionId: string) =>
  queryOptions({
    queryKey: ['payments', 'receipt', transactionId],
    queryFn: async ({ signal }) => (await client.cards.getCardReceipt({ transactionId }, { signal })).receipt,
    staleTime: Number.POSITIVE_INFINITY,
  });

export const pendingChallengesQuery = queryOptions({
  queryKey: ['challenges', 'pending'],
  queryFn: async ({ signal }) => (await client.threeDs.listChallenges({ status: 'pending', limit: 20 }, { signal })).data,
});

/** The approvals that were asked for, newest first. */
export const challengesQuery = listQuery(['challenges', 'list'], (asked, options) => client.threeDs.listChallenges(asked, options));

/** Rows that a stream has just announced are not read again at once. */
const JUST_TOLD_MS = 1000;

/** A challenge with the platform's clock, and when both were read here. */
export const challengeQuery = (challengeId: string) =>
  queryOptions({
    queryKey: ['challenges', 'one', challengeId],
    queryFn: async ({ signal }) => ({ ...(await client.threeDs.getChallenge({ challengeId }, { signal })), readAt: Date.now() }),
    staleTime: JUST_TOLD_MS,
  });

export const depositsQuery = listQuery(['movements', 'deposits'], (asked, options) => client.userMovements.listDeposits(asked, options));

export const withdrawalsQuery = listQuery(['movements', 'withdrawals'], (asked, options) =>
  client.userMovements.listWithdrawals(asked, options),
);

export const statementQuery = listQuery(['movements', 'statement'], (asked, options) => client.userMovements.listStatement(asked, options));

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => (await client.auth.listSessions({ limit: 100 }, { signal })).data,
});

export const accessLogQuery = listQuery(['access-log'], (asked, options) => client.pci.listCardDataAccess(asked, options));

export const termsQuery = queryOptions({
  queryKey: ['terms'],
  queryFn: async ({ signal }) => (await client.terms.listUserTerms({}, { signal })).terms,
});

export const fundsQuery = queryOptions({
  queryKey: ['funds'],
  queryFn: async ({ signal }) => (await client.sourceOfFunds.getSourceOfFunds({}, { signal })).questions,
});

/** Reads anew what a change may have touched, by the first word of its key. */
export const refresh = (...topics: readonly Topic[]) =>
  Promise.all(topics.map((topic) => queries.invalidateQueries({ queryKey: [topic] })));
