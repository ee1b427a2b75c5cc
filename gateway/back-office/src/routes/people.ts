import type { Account } from '@florin/proto/ledger/v1/account';
import { undefinedOn, withinRequest } from '@florin/rpc/client';
import { CodedError } from '@florin/rpc/errors';
import { type Access, type Person, reasonBody } from '../contract/index.ts';
import { type Endpoint, parse } from '../http/endpoint.ts';
import { queueItemKey, toNotes } from '../queues/read-queue.ts';
import { disputersOf, freezersOf, toCard, toCardRules, toPayment, toPaymentDetail } from '../views/card.ts';
import { toChallenge, toReceipt } from '../views/challenge.ts';
import { resolversOf, toDeposit, toEntry, toWithdrawal } from '../views/money.ts';
import { toAccount, toFormerAccount, toPerson, toSession } from '../views/person.ts';
import { toRecovery } from '../views/recovery.ts';
import { isoOf, nextOf } from '../views/words.ts';
import type { Dependencies } from './dependencies.ts';
import { readOrders } from './orders.ts';
import { aboutPerson, type PersonRead, personRead, requireOwn, userIdOf } from './read-person.ts';
import { readSummary } from './summary.ts';

/** How long a reason lets an operator read a person's file. */
const ACCESS_MS = 30 * 60_000;

/** Rows of a page. */
const LIMIT = 50;

/** Orders that are shown. */
const ORDERS = 20;

const accessEndpoints = (parts: Dependencies): Endpoint[] => {
  const { accesses, services, record, runtime } = parts;
  const path = '/api/people/{userId}/access';
  return [
    {
      method: 'GET',
      path,
      access: 'people.read',
      handle: async (incoming, { operator }) => {
        const userId = userIdOf(incoming);
        const found = await accesses.find(operator._id, userId, runtime.now());
        if (found === null) throw new CodedError('NOT_FOUND', { message: 'there is no access to this person' });
        const body: Access = { userId, reason: found.reason, expiresAt: found.expiresAt.toISOString() };
        return { body };
      },
    },
    {
      method: 'POST',
      path,
      access: 'people.read',
      handle: async (incoming, session) => {
        const userId = userIdOf(incoming);
        const { reason } = parse(reasonBody, incoming.body);
        return record(aboutPerson(incoming, session, { operation: 'people.access', reason, request: null }), async () => {
          await services.users.getUserPartner({ userId }, withinRequest(incoming));
          const expiresAt = new Date(runtime.now().getTime() + ACCESS_MS);
          await accesses.open(session.operator._id, userId, { reason, expiresAt });
          const body: Access = { userId, reason, expiresAt: expiresAt.toISOString() };
          return { status: 201, body };
        });
      },
    },
  ];
};

const fileEndpoints = (parts: Dependencies): Endpoint[] => {
  const { services, assets, operators, queueItems, replacementOrders } = parts;
  const accountOf = async ({ userId, ...call }: PersonRead) =>
    (await undefinedOn('ACCOUNT_NOT_FOUND', services.accounts.getAccount({ key: { case: 'userId', value: userId } }, withinRequest(call))))
      ?.account;
  /** The accounts that an account succeeds, the last one first. */
  const formerAccountsOf = async ({ formerAccountId }: Account, options: ReturnType<typeof withinRequest>) => {
    const found: Person['formerAccounts'] = [];
    for (let id = formerAccountId; id !== ''; ) {
      const [{ account }, { currencies }] = await Promise.all([
        services.accounts.getAccount({ key: { case: 'accountId', value: id } }, options),
        services.balances.getAccountBalances({ accountId: id }, options),
      ]);
      if (account !== undefined) found.push(toFormerAccount(account, currencies));
      id = account?.formerAccountId ?? '';
    }
    return found;
  };
  const page = ({ cursor }: PersonRead) => ({ limit: LIMIT, cursor });

  return [
    personRead(parts, { path: '', operation: 'people.read' }, async (call) => {
      const options = withinRequest(call);
      const [{ user }, { status }, account] = await Promise.all([
        services.users.getUser({ userId: call.userId }, options),
        services.onboarding.getOnboarding({ userId: call.userId }, options),
        accountOf(call),
      ]);
      if (user === undefined) throw new CodedError('USER_NOT_FOUND');
      if (account === undefined) return toPerson(user, status, { formerAccounts: [], replacementOrders: [] });
      const [{ currencies }, formerAccounts, orders] = await Promise.all([
        services.balances.getAccountBalances({ accountId: account.id }, options),
        formerAccountsOf(account, options),
        readOrders(parts, await replacementOrders.list(ORDERS, { userId: call.userId })),
      ]);
      const shown = orders.map(({ stored: _, ...order }) => order);
      return toPerson(user, status, { account: toAccount(account, currencies), formerAccounts, replacementOrders: shown });
    }),
    personRead(parts, { path: '/summary', operation: 'people.summary' }, (call) => readSummary(parts, call)),
    personRead(parts, { path: '/notes', operation: 'people.notes' }, async ({ userId }) => {
      const key = queueItemKey('people', userId);
      const notes = (await queueItems.findMany([key])).get(key)?.notes ?? [];
      return { notes: toNotes(notes, await operators.names(notes.map(({ by }) => by))) };
    }),
    personRead(parts, { path: '/recovery', operation: 'people.recovery' }, async ({ userId, ...call }) => {
      const found = services.recoveries?.listUserRecoveryTransactions({ userId }, withinRequest(call)) ?? Promise.resolve(undefined);
      return toRecovery(await undefinedOn('SAFES_NOT_AVAILABLE', undefinedOn('ACCOUNT_NOT_FOUND', found)));
    }),
    personRead(parts, { path: '/sessions', operation: 'people.sessions' }, async (call) => {
      const found = await services.sessions.listUserSessions({ userId: call.userId, page: page(call) }, withinRequest(call));
      return { sessions: found.sessions.map(toSession), ...nextOf(found.page?.nextCursor) };
    }),
    personRead(parts, { path: '/deposits', operation: 'people.deposits' }, async (call) => {
      const found = await services.movements.listDeposits({ userId: call.userId, page: page(call) }, withinRequest(call));
      const names = await operators.names(resolversOf(found.deposits));
      return { deposits: found.deposits.map((one) => toDeposit(one, names)), ...nextOf(found.page?.nextCursor) };
    }),
    personRead(parts, { path: '/deposits/{depositId}', operation: 'people.deposit' }, async (call) => {
      const depositId = call.params['depositId'] ?? '';
      const { deposit } = await services.movements.getDeposit({ depositId }, withinRequest(call));
      const own = await requireOwn(parts, deposit, call, 'DEPOSIT_NOT_FOUND');
      return { deposits: [toDeposit(own, await operators.names(resolversOf([own])))] };
    }),
    personRead(parts, { path: '/withdrawals/{withdrawalId}', operation: 'people.withdrawal' }, async (call) => {
      const withdrawalId = call.params['withdrawalId'] ?? '';
      const { withdrawal } = await services.movements.getWithdrawal({ withdrawalId }, withinRequest(call));
      return { withdrawals: [toWithdrawal(await requireOwn(parts, withdrawal, call, 'WITHDRAWAL_NOT_FOUND'))] };
    }),
    personRead(parts, { path: '/withdrawals', operation: 'people.withdrawals' }, async (call) => {
      const found = await services.movements.listWithdrawals({ userId: call.userId, page: page(call) }, withinRequest(call));
      return { withdrawals: found.withdrawals.map(toWithdrawal), ...nextOf(found.page?.nextCursor) };
    }),
    personRead(parts, { path: '/entries', operation: 'people.entries' }, async (call) => {
      const account = await accountOf(call);
      if (account === undefined) return { entries: [] };
      const found = await services.entries.listTransfers({ accountId: account.id, page: page(call) }, withinRequest(call));
      return { entries: found.entries.map(toEntry(assets)), ...nextOf(found.page?.nextCursor) };
    }),
    personRead(parts, { path: '/events', operation: 'people.events' }, async (call) => {
      if (services.feed === undefined) return { events: [] };
      const { userId } = call;
      const { partnerId } = await services.users.getUserPartner({ userId }, withinRequest(call));
      const found = await services.feed.listUserEvents({ userId, partnerId, after: call.cursor, limit: LIMIT }, withinRequest(call));
      return {
        events: found.events.map(({ id, type, sequence, subject, timestamp }) => ({
          id,
          type,
          sequence: sequence.toString(),
          subject,
          at: isoOf(timestamp),
        })),
        ...nextOf(found.hasMore ? found.cursor : ''),
      };
    }),
  ];
};

const cardEndpoints = (parts: Dependencies): Endpoint[] => {
  const { services, operators } = parts;
  const page = ({ cursor }: PersonRead) => ({ limit: LIMIT, cursor });
  /** Records about another person's card are absent. */
  const requireOwnCard = async (
    cardId: string,
    call: PersonRead,
    code: 'CARD_NOT_FOUND' | 'PAYMENT_NOT_FOUND' | 'CHALLENGE_NOT_FOUND',
  ): Promise<void> => {
    const { card } = await services.cards.getCard({ cardId }, withinRequest(call));
    if (card?.userId !== call.userId) throw new CodedError(code);
  };

  return [
    personRead(parts, { path: '/cards', operation: 'people.cards' }, async (call) => {
      const found = await services.cards.listCards({ userId: call.userId, page: page(call) }, withinRequest(call));
      const names = await operators.names(freezersOf(found.cards));
      return { cards: found.cards.map((one) => toCard(one, names)), ...nextOf(found.page?.nextCursor) };
    }),
    personRead(parts, { path: '/cards/{cardId}/rules', operation: 'people.card-rules' }, async (call) => {
      const cardId = call.params['cardId'] ?? '';
      await requireOwnCard(cardId, call, 'CARD_NOT_FOUND');
      const options = withinRequest(call);
      const [{ limits }, { controls }] = await Promise.all([
        services.payments.getCardLimits({ cardId }, options),
        services.payments.getCardControls({ cardId }, options),
      ]);
      return toCardRules(limits, controls);
    }),
    personRead(parts, { path: '/payments', operation: 'people.payments' }, async (call) => {
      const found = await services.payments.listPayments({ userId: call.userId, page: page(call) }, withinRequest(call));
      return { payments: found.payments.map(toPayment), ...nextOf(found.page?.nextCursor) };
    }),
    personRead(parts, { path: '/payments/{paymentId}', operation: 'people.payment' }, async (call) => {
      const paymentId = call.params['paymentId'] ?? '';
      const { payment } = await services.payments.getPayment({ paymentId }, withinRequest(call));
      if (payment === undefined) throw new CodedError('PAYMENT_NOT_FOUND');
      await requireOwnCard(payment.cardId, call, 'PAYMENT_NOT_FOUND');
      return toPaymentDetail(payment, await operators.names(disputersOf(payment)));
    }),
    personRead(parts, { path: '/challenges', operation: 'people.challenges' }, async (call) => {
      const found = await services.challenges.listChallenges({ userId: call.userId, page: page(call) }, withinRequest(call));
      return { challenges: found.challenges.map(toChallenge), ...nextOf(found.page?.nextCursor) };
    }),
    personRead(parts, { path: '/challenges/{challengeId}', operation: 'people.challenge' }, async (call) => {
      const challengeId = call.params['challengeId'] ?? '';
      const { challenge } = await services.challenges.getChallenge({ challengeId }, withinRequest(call));
      if (challenge === undefined) throw new CodedError('CHALLENGE_NOT_FOUND');
      await requireOwnCard(challenge.cardId, call, 'CHALLENGE_NOT_FOUND');
      const receipt = await undefinedOn('RECEIPT_NOT_FOUND', services.challenges.getReceipt({ challengeId }, withinRequest(call)));
      return { ...toChallenge(challenge), ...(receipt?.receipt === undefined ? {} : { receipt: toReceipt(receipt.receipt) }) };
    }),
  ];
};

/** A person's file. Each part is read under an access with a reason. */
export const peopleEndpoints = (parts: Dependencies): Endpoint[] => [
  ...accessEndpoints(parts),
  ...fileEndpoints(parts),
  ...cardEndpoints(parts),
];
