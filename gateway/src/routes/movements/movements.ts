import type { CallOptions } from '@connectrpc/connect';
import {
  type CreateMoveChallengeResponse,
  type CreateReturnChallengeResponse,
  type CreateWithdrawalChallengeResponse,
  SubmittedStatus,
} from '@florin/proto/chain/v1/withdrawal_service';
import { undefinedOn } from '@florin/rpc/client';
import { z } from 'zod';
import { requireChain } from '../../clients/chain.ts';
import type { Upstream } from '../../clients/upstream.ts';
import { defineRoute } from '../../http/define-route.ts';
import {
  address,
  addressInput,
  amount,
  dateTime,
  decimals,
  id,
  present,
  signature,
  toIso,
  token,
  tokenAmountInput,
  tokenInput,
  txHash,
} from '../../schemas/fields.ts';
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
import { pagination, toPagination } from '../../schemas/page.ts';
import { safeTypedData, toSafeTypedData } from '../../schemas/safe.ts';
import { typedDataQuery } from '../../schemas/typed-message.ts';
import { wordsOf } from '../../schemas/words.ts';

export const listDeposits = defineRoute({
  operationId: 'listDeposits',
  method: 'get',
  path: '/user/deposits',
  tag: 'User Movements',
  summary: 'List deposits',
  description: "Returns the deposits to the caller's account, newest first.",
  policy: 'user',
  query: depositQuery,
  answers: { 200: z.object({ data: z.array(deposit), pagination }) },
  errors: ['ACCOUNT_NOT_FOUND'],
  handler: async ({ query }, { upstream, asCaller }) => {
    const { deposits, page } = await upstream.movements.listDeposits(toDepositQuery(query), asCaller);
    return { data: deposits.map(toDeposit), pagination: toPagination(page) };
  },
});

export const listWithdrawals = defineRoute({
  operationId: 'listWithdrawals',
  method: 'get',
  path: '/user/withdrawals',
  tag: 'User Movements',
  summary: 'List withdrawals',
  description: "Returns the withdrawals from the caller's account, newest first.",
  policy: 'user',
  query: withdrawalQuery,
  answers: { 200: z.object({ data: z.array(withdrawal), pagination }) },
  errors: ['ACCOUNT_NOT_FOUND'],
  handler: async ({ query }, { upstream, asCaller }) => {
    const { withdrawals, page } = await upstream.movements.listWithdrawals(toWithdrawalQuery(query), asCaller);
    return { data: withdrawals.map(toWithdrawal), pagination: toPagination(page) };
  },
});

const challenge = z.object({
  withdrawalId: id,
  expiresAt: dateTime.meta({ description: 'When the signature is no longer accepted' }),
  typedData: safeTypedData,
});

const toChallenge = (
  made: CreateWithdrawalChallengeResponse | CreateReturnChallengeResponse | CreateMoveChallengeResponse,
  withDomainType: boolean,
) => ({
  withdrawalId: made.withdrawalId,
  expiresAt: toIso(made.expiresAt),
  typedData: toSafeTypedData(present(made.transaction, 'transaction'), withDomainType),
});

export const createWithdrawalChallenge = defineRoute({
  operationId: 'createWithdrawalChallenge',
  method: 'post',
  path: '/user/withdrawals/challenge',
  tag: 'User Movements',
  summary: 'Create a withdrawal to sign',
  description:
    "Returns EIP-712 typed data of the Safe's transaction that moves the money, for the owner's wallet to sign within ten minutes. It sets nothing aside. A Safe carries out one withdrawal after the other. The first request for an address makes it known, and is rejected with `RECIPIENT_COOLING` where new recipients have to wait.",
  policy: 'user',
  query: typedDataQuery,
  body: z.object({
    token: tokenInput,
    amount: tokenAmountInput,
    to: addressInput.meta({ description: 'EVM address that receives the money' }),
  }),
  answers: { 200: challenge },
  errors: [
    'ACCOUNT_NOT_FOUND',
    'ACCOUNT_NOT_ACTIVE',
    'AMOUNT_INVALID',
    'CHAIN_HALTED',
    'INSUFFICIENT_FUNDS',
    'RECIPIENT_COOLING',
    'SAFE_NOT_VERIFIED',
    'SAFES_NOT_AVAILABLE',
    'TOKEN_NOT_SUPPORTED',
    'WITHDRAWAL_IN_PROGRESS',
    'WITHDRAWAL_LIMIT_EXCEEDED',
  ],
  handler: async ({ query, body: { token: symbol, amount: units, to: recipient } }, { upstream, asCaller }) => {
    const made = await requireChain(upstream.safeWithdrawals).createWithdrawalChallenge(
      { token: symbol, amount: units, recipient },
      asCaller,
    );
    return toChallenge(made, query.domainType === 'true');
  },
});

const depositReturn = z
  .object({
    id,
    token,
    decimals,
    amount,
    to: address.meta({ description: 'The sender of the deposit, to whom it goes back' }),
    txHash: txHash.meta({ description: 'The transaction that brought it' }),
    safeAddress: address.meta({ description: 'The Safe that sends it back' }),
  })
  .meta({ id: 'DepositReturn' });

/** Rows with the decimals of their tokens, as the caller's balances have them; without those of tokens that these do not have. */
const withDecimals = async <Row extends { token: string }>(
  rows: readonly Row[],
  { balances }: Pick<Upstream, 'balances'>,
  asCaller: CallOptions,
): Promise<[Row, number][]> => {
  if (rows.length === 0) return [];
  const { currencies } = await balances.getBalances({}, asCaller);
  const known = new Map(currencies.flatMap(({ tokens }) => tokens.map((one) => [one.token, one.decimals])));
  return rows.flatMap((row): [Row, number][] => {
    const digits = known.get(row.token);
    return digits === undefined ? [] : [[row, digits]];
  });
};

export const listReturns = defineRoute({
  operationId: 'listReturns',
  method: 'get',
  path: '/user/returns',
  tag: 'User Movements',
  summary: 'List deposits to send back',
  description:
    "Returns the rejected deposits to the caller's Safe, and those to the Safes of former accounts, that the operator asks to send back, and that are not on their way. Until they are back, withdrawals can be stopped (`WITHDRAWALS_FROZEN`).",
  policy: 'user',
  answers: { 200: z.object({ data: z.array(depositReturn) }) },
  errors: ['ACCOUNT_NOT_FOUND'],
  handler: async (_input, { upstream, asCaller }) => {
    const found =
      upstream.safeWithdrawals && (await undefinedOn('SAFES_NOT_AVAILABLE', upstream.safeWithdrawals.listReturns({}, asCaller)));
    const rows = await withDecimals(found?.returns ?? [], upstream, asCaller);
    return {
      data: rows.map(([{ id: returnId, token: symbol, amount: units, recipient, txHash: hash, safeAddress }, digits]) => {
        return { id: returnId, token: symbol, decimals: digits, amount: units, to: recipient, txHash: hash, safeAddress };
      }),
    };
  },
});

export const createReturnChallenge = defineRoute({
  operationId: 'createReturnChallenge',
  method: 'post',
  path: '/user/returns/{returnId}/challenge',
  tag: 'User Movements',
  summary: 'Create the return of a deposit to sign',
  description:
    "Returns EIP-712 typed data of the Safe's transaction that sends a rejected deposit back, for the owner's wallet to sign within ten minutes. `POST /user/withdrawals` takes the signature. Nothing of the caller's money moves, and no limit counts.",
  policy: 'user',
  params: z.object({ returnId: id }),
  query: typedDataQuery,
  answers: { 200: challenge },
  errors: [
    'ACCOUNT_NOT_FOUND',
    'ACCOUNT_NOT_ACTIVE',
    'CHAIN_HALTED',
    'SAFE_NOT_VERIFIED',
    'SAFES_NOT_AVAILABLE',
    'TOKEN_NOT_SUPPORTED',
    'WITHDRAWAL_IN_PROGRESS',
    'WITHDRAWAL_NOT_FOUND',
  ],
  handler: async ({ query, params }, { upstream, asCaller }) =>
    toChallenge(await requireChain(upstream.safeWithdrawals).createReturnChallenge(params, asCaller), query.domainType === 'true'),
});

const move = z
  .object({
    accountId: id.meta({ description: 'The former account' }),
    safeAddress: address.meta({ description: "The former account's Safe" }),
    token,
    decimals,
    amount,
    cosigned: z.boolean().meta({
      description:
        "True if `POST /user/moves/challenge` moves it; otherwise the Safe's owners move it without the platform, with their wallets alone",
    }),
    firstOwner: address.meta({ description: 'The wallet that the Safe was made for' }),
  })
  .meta({ id: 'Move' });

export const listMoves = defineRoute({
  operationId: 'listMoves',
  method: 'get',
  path: '/user/moves',
  tag: 'User Movements',
  summary: 'List money of former accounts',
  description:
    "Returns what the caller's former accounts still have. The operator replaces an account whose Safe has executed something that the platform did not sign; its money moves to the new account's Safe. `ready`: the new account is active and its Safe verified.",
  policy: 'user',
  answers: { 200: z.object({ data: z.array(move), ready: z.boolean() }) },
  errors: ['ACCOUNT_NOT_FOUND'],
  handler: async (_input, { upstream, asCaller }) => {
    const found = upstream.safeWithdrawals && (await undefinedOn('SAFES_NOT_AVAILABLE', upstream.safeWithdrawals.listMoves({}, asCaller)));
    const rows = await withDecimals(found?.moves ?? [], upstream, asCaller);
    return {
      data: rows.map(([{ accountId, safeAddress, token: symbol, amount: units, cosigned, firstOwner }, digits]) => {
        return { accountId, safeAddress, token: symbol, decimals: digits, amount: units, cosigned, firstOwner };
      }),
      ready: found?.ready ?? false,
    };
  },
});

export const createMoveChallenge = defineRoute({
  operationId: 'createMoveChallenge',
  method: 'post',
  path: '/user/moves/challenge',
  tag: 'User Movements',
  summary: 'Create the move of money to sign',
  description:
    "Returns EIP-712 typed data of the transaction that moves what `GET /user/moves` returns of a former account and token to the current account's Safe, for the owner's wallet to sign within ten minutes. `POST /user/withdrawals` takes the signature. No limit of amounts applies.",
  policy: 'user',
  query: typedDataQuery,
  body: z.object({ accountId: id, token: tokenInput }),
  answers: { 200: challenge },
  errors: [
    'ACCOUNT_NOT_FOUND',
    'ACCOUNT_NOT_ACTIVE',
    'CHAIN_HALTED',
    'INSUFFICIENT_FUNDS',
    'SAFE_NOT_VERIFIED',
    'SAFES_NOT_AVAILABLE',
    'TOKEN_NOT_SUPPORTED',
    'WITHDRAWAL_IN_PROGRESS',
  ],
  handler: async ({ query, body }, { upstream, asCaller }) =>
    toChallenge(await requireChain(upstream.safeWithdrawals).createMoveChallenge(body, asCaller), query.domainType === 'true'),
});

const submittedStatus = wordsOf(SubmittedStatus);

export const submitWithdrawal = defineRoute({
  operationId: 'submitWithdrawal',
  method: 'post',
  path: '/user/withdrawals',
  tag: 'User Movements',
  summary: 'Withdraw',
  description:
    'Takes the signature over the typed data of `POST /user/withdrawals/challenge`: the money is set aside, the platform signs as the second owner, sends the transaction and pays for it. `completed` once the transfer is final; when it fails, the money is spendable again. A repeat changes nothing.',
  policy: 'user',
  body: z.object({ withdrawalId: id, signature }),
  answers: { 200: z.object({ id, status: submittedStatus.schema }) },
  errors: [
    'ACCOUNT_NOT_FOUND',
    'ACCOUNT_NOT_ACTIVE',
    'CHAIN_HALTED',
    'INSUFFICIENT_FUNDS',
    'INVALID_SIGNATURE',
    'RECIPIENT_REJECTED',
    'SAFE_NOT_VERIFIED',
    'SAFES_NOT_AVAILABLE',
    'TOKEN_BLOCKED',
    'WITHDRAWALS_FROZEN',
    'WITHDRAWAL_EXPIRED',
    'WITHDRAWAL_IN_PROGRESS',
    'WITHDRAWAL_LIMIT_EXCEEDED',
    'WITHDRAWAL_NOT_FOUND',
  ],
  handler: async ({ body }, { upstream, asCaller }) => {
    const { withdrawalId, status } = await requireChain(upstream.safeWithdrawals).submitWithdrawal(body, asCaller);
    return { id: withdrawalId, status: submittedStatus.toWord(status) };
  },
});
