import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { balances, toBalances } from '../../schemas/balances.ts';
import { card, cardStatus, toCard, toWireCardStatus } from '../../schemas/card.ts';
import { cardTransaction, cardTransactionDetail, toCardTransaction, toCardTransactionDetail } from '../../schemas/card-transaction.ts';
import { id, present } from '../../schemas/fields.ts';
import {
  deposit,
  depositQuery,
  toDeposit,
  toDepositQuery,
  toWithdrawal,
  toWithdrawalQuery,
  withdrawal,
  withdrawalQuery,
} from '../../schemas/movements.ts';
import { pageQuery, pagination, toPageRequest, toPagination } from '../../schemas/page.ts';
import { toUser, user } from '../../schemas/user.ts';
import { toPaymentQuery, transactionQuery } from '../cards/list-card-transactions.ts';

/** Reads of a partner's server about the partner's users. The services check that the user is the partner's. */
const OF_A_USER = { method: 'get', tag: 'Partners', policy: 'partner', params: z.object({ userId: id }) } as const;

const NOT_FOUND = 'A user of another partner is not found, like one who does not exist.';

export const getPartnerUser = defineRoute({
  ...OF_A_USER,
  operationId: 'getPartnerUser',
  path: '/partner/users/{userId}',
  summary: 'Get a user of the partner',
  description: `Returns the record of a user of the partner, without the phone number. ${NOT_FOUND} Needs the scope \`users.read\`.`,
  answers: { 200: user },
  errors: ['USER_NOT_FOUND'],
  handler: async ({ params }, { upstream, asCaller }) =>
    toUser(present((await upstream.users.getUser(params, asCaller)).user, 'the user'), undefined),
});

export const listPartnerUserCards = defineRoute({
  ...OF_A_USER,
  operationId: 'listPartnerUserCards',
  path: '/partner/users/{userId}/cards',
  summary: 'List the cards of a user',
  description: `Returns the cards of a user of the partner, newest first. ${NOT_FOUND} Needs the scope \`payments.read\`.`,
  query: pageQuery.extend({ status: cardStatus.optional() }),
  answers: { 200: z.object({ data: z.array(card), pagination }) },
  errors: ['USER_NOT_FOUND'],
  handler: async ({ params, query }, { upstream, asCaller }) => {
    const request = { ...params, status: toWireCardStatus(query.status), page: toPageRequest(query) };
    const { cards, page } = await upstream.cards.listCards(request, asCaller);
    return { data: cards.map(toCard), pagination: toPagination(page) };
  },
});

export const listPartnerUserTransactions = defineRoute({
  ...OF_A_USER,
  operationId: 'listPartnerUserTransactions',
  path: '/partner/users/{userId}/transactions',
  summary: 'List the card transactions of a user',
  description: `Returns the card transactions of a user of the partner, newest first, declined ones included. ${NOT_FOUND} Needs the scope \`payments.read\`.`,
  query: transactionQuery,
  answers: { 200: z.object({ data: z.array(cardTransaction), pagination }) },
  errors: ['USER_NOT_FOUND'],
  handler: async ({ params, query }, { upstream, asCaller }) => {
    const { payments, page } = await upstream.cardPayments.listPayments({ ...params, ...toPaymentQuery(query) }, asCaller);
    return { data: payments.map(toCardTransaction), pagination: toPagination(page) };
  },
});

export const getPartnerUserTransaction = defineRoute({
  ...OF_A_USER,
  operationId: 'getPartnerUserTransaction',
  path: '/partner/users/{userId}/transactions/{transactionId}',
  summary: 'Get a card transaction of a user',
  description: `Returns one card transaction of a user of the partner, with its events and ledger entries. ${NOT_FOUND} Needs the scope \`payments.read\`.`,
  params: z.object({ userId: id, transactionId: id }),
  answers: { 200: cardTransactionDetail },
  errors: ['PAYMENT_NOT_FOUND', 'USER_NOT_FOUND'],
  handler: async ({ params: { userId, transactionId } }, { upstream, asCaller }) =>
    toCardTransactionDetail((await upstream.cardPayments.getPayment({ userId, paymentId: transactionId }, asCaller)).payment),
});

export const getPartnerUserBalances = defineRoute({
  ...OF_A_USER,
  operationId: 'getPartnerUserBalances',
  path: '/partner/users/{userId}/balances',
  summary: 'Get the balances of a user',
  description: `Returns one row per currency of the account of a user of the partner, including zero balances, each with its tokens: as the ledger has them, without what is in blocks that are not final yet. ${NOT_FOUND} Needs the scope \`movements.read\`.`,
  answers: { 200: balances },
  errors: ['ACCOUNT_NOT_FOUND', 'USER_NOT_FOUND'],
  handler: async ({ params }, { upstream, asCaller }) => {
    const { currencies } = await upstream.balances.getBalances(params, asCaller);
    return toBalances(currencies, { arriving: [], allowances: [] });
  },
});

export const listPartnerUserDeposits = defineRoute({
  ...OF_A_USER,
  operationId: 'listPartnerUserDeposits',
  path: '/partner/users/{userId}/deposits',
  summary: 'List the deposits of a user',
  description: `Returns the deposits to the account of a user of the partner, newest first. ${NOT_FOUND} Needs the scope \`movements.read\`.`,
  query: depositQuery,
  answers: { 200: z.object({ data: z.array(deposit), pagination }) },
  errors: ['ACCOUNT_NOT_FOUND', 'USER_NOT_FOUND'],
  handler: async ({ params, query }, { upstream, asCaller }) => {
    const { deposits, page } = await upstream.movements.listDeposits({ ...params, ...toDepositQuery(query) }, asCaller);
    return { data: deposits.map(toDeposit), pagination: toPagination(page) };
  },
});

export const listPartnerUserWithdrawals = defineRoute({
  ...OF_A_USER,
  operationId: 'listPartnerUserWithdrawals',
  path: '/partner/users/{userId}/withdrawals',
  summary: 'List the withdrawals of a user',
  description: `Returns the withdrawals from the account of a user of the partner, newest first. ${NOT_FOUND} Needs the scope \`movements.read\`.`,
  query: withdrawalQuery,
  answers: { 200: z.object({ data: z.array(withdrawal), pagination }) },
  errors: ['ACCOUNT_NOT_FOUND', 'USER_NOT_FOUND'],
  handler: async ({ params, query }, { upstream, asCaller }) => {
    const { withdrawals, page } = await upstream.movements.listWithdrawals({ ...params, ...toWithdrawalQuery(query) }, asCaller);
    return { data: withdrawals.map(toWithdrawal), pagination: toPagination(page) };
  },
});
