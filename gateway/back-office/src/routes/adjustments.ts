import { AccountStatus } from '@florin/proto/ledger/v1/account';
import { AdjustmentStatus, type Adjustment as WireAdjustment } from '@florin/proto/ledger/v1/adjustment';
import type { Assets } from '@florin/rpc/assets';
import { undefinedOn, withinRequest } from '@florin/rpc/client';
import { CodedError, isErrorCode } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { z } from 'zod';
import { operatorIdOf } from '../audit/recorder.ts';
import { accountOwners } from '../clients/account-owners.ts';
import {
  type AccountOwner,
  type Adjustment,
  adjustmentBody,
  type MoneyAccount,
  type MoneyAllowance,
  type MoneyTokens,
  reasonBody,
} from '../contract/index.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { requireSecondPerson } from '../operators/four-eyes.ts';
import { tokenAmount } from '../views/money.ts';
import { isoOf, maskEmail, nextOf, unlessEmpty, wordOf } from '../views/words.ts';
import { action } from './act.ts';
import { endExceptionOf } from './card-exceptions.ts';
import type { Dependencies } from './dependencies.ts';
import { programRead } from './read-program.ts';

const LIMIT = 50;
/** Ids that the services take in one call. */
const BATCH = 100;
/** Orders can be read without the names of owners: nobody waits for these longer. */
const OWNERS_MS = 2000;

const STATUSES = {
  pending: AdjustmentStatus.PENDING,
  booked: AdjustmentStatus.BOOKED,
  rejected: AdjustmentStatus.REJECTED,
  failed: AdjustmentStatus.FAILED,
  expired: AdjustmentStatus.EXPIRED,
} as const;

const accountName = z.string().min(1).max(64);
const sides = z.strictObject({ debit: accountName, credit: accountName });

const query = z.strictObject({
  status: z.enum(Object.keys(STATUSES) as [keyof typeof STATUSES, ...(keyof typeof STATUSES)[]]).optional(),
  cursor: z.string().max(500).default(''),
});

/**
 * The state of an order that was placed or approved.
 * @throws CodedError the reason why the ledger did not book it
 */
const outcomeOf = (adjustment: WireAdjustment | undefined): string => {
  const { status = AdjustmentStatus.UNSPECIFIED, failureCode = '' } = adjustment ?? {};
  if (status === AdjustmentStatus.FAILED) throw new CodedError(isErrorCode(failureCode) ? failureCode : 'ORDER_STATE_CONFLICT');
  return wordOf(AdjustmentStatus, status);
};

const subjectOf = ({ change }: WireAdjustment): Pick<Adjustment, 'subject'> => {
  if (change.case === 'reversal') return { subject: { kind: 'entry', id: change.value.entryId } };
  return change.case === 'depositReversal' ? { subject: { kind: 'deposit', id: change.value.depositId } } : {};
};

/** Ids of the accounts of people that orders move. */
const accountsOf = (orders: readonly WireAdjustment[]): string[] => {
  const transfers = orders.flatMap(({ change }) => (change.case === 'transfers' ? change.value.transfers : []));
  const ids = transfers.flatMap(({ debit, credit }) => [debit, credit]).map((name) => uuidSchema.safeParse(name.replace(/\/.*$/, '')).data);
  return [...new Set(ids.filter((one) => one !== undefined))];
};

/** Reads what belongs to ids, in batches. What could not be read is absent. */
const readBatches = async <T>(ids: readonly string[], read: (batch: string[]) => Promise<T[]>): Promise<T[]> => {
  const batches = Array.from({ length: Math.ceil(ids.length / BATCH) }, (_, index) => ids.slice(index * BATCH, (index + 1) * BATCH));
  return (await Promise.all(batches.map((batch) => read(batch).catch(() => [])))).flat();
};

/** The actor who approved or rejected an order; empty for nobody. */
const deciderOf = ({ metadata, rejectedBy }: WireAdjustment): string => metadata?.approvedBy || rejectedBy;

const toAdjustment = (order: WireAdjustment, assets: Assets, names: ReadonlyMap<string, string>): Adjustment => {
  const { metadata, change } = order;
  const actor = metadata?.actor ?? '';
  const actorName = names.get(operatorIdOf(actor));
  const decider = deciderOf(order);
  const transfers = change.case === 'transfers' ? change.value.transfers : [];
  return {
    id: order.id,
    status: wordOf(AdjustmentStatus, order.status),
    transfers: transfers.map(({ debit, credit, token, amount }) => ({ debit, credit, ...tokenAmount(assets, token, amount) })),
    ...subjectOf(order),
    needsApproval: order.needsApproval,
    actor,
    ...(actorName === undefined ? {} : { actorName }),
    reason: metadata?.reason ?? '',
    ...(decider === '' ? {} : { decidedBy: names.get(operatorIdOf(decider)) ?? decider }),
    rejectionReason: order.rejectionReason,
    failureCode: order.failureCode,
    createdAt: isoOf(order.createdAt),
    updatedAt: isoOf(order.updatedAt),
  };
};

/**
 * Orders that move money by hand. The ledger books those above its limits only when somebody else has approved them. It knows the names of operators, and not which of
 * them are one person.
 */
export const adjustmentEndpoints = (parts: Dependencies): Endpoint[] => {
  const { services, operators, assets } = parts;
  /** The owners of accounts, as far as the services tell them in time. */
  const ownersOf = async (accountIds: readonly string[], call: { requestId: string }): Promise<AccountOwner[]> => {
    const options = { ...withinRequest(call), timeoutMs: OWNERS_MS };
    const owners = await readBatches(accountIds, async (ids) => [...(await accountOwners(services, ids, options))]);
    const people = [...new Set(owners.map(([, userId]) => userId))];
    const users = await readBatches(people, async (userIds) => (await services.users.batchGetUsers({ userIds }, options)).users);
    const emails = new Map(users.map(({ id, email }) => [id, maskEmail(email)]));
    return owners.map(([accountId, userId]) => ({ accountId, userId, ...unlessEmpty('email', emails.get(userId) ?? '') }));
  };
  const decide = (name: 'approve' | 'reject'): Endpoint =>
    action(
      parts,
      { path: `/api/adjustments/{adjustmentId}/${name}`, access: 'money.approve', operation: `money.${name}`, body: reasonBody },
      async ({ params, actor, body, requestId }) => {
        const { adjustments } = services;
        if (name === 'approve') {
          const { adjustment } = await adjustments.getAdjustment(
            { adjustmentId: params['adjustmentId'] ?? '' },
            withinRequest({ requestId }),
          );
          await requireSecondPerson(parts, adjustment?.metadata?.actor ?? '', actor);
        }
        const order = { adjustmentId: params['adjustmentId'] ?? '', actor };
        const options = withinRequest({ requestId });
        const decided =
          name === 'approve'
            ? await adjustments.approveAdjustment(order, options)
            : await adjustments.rejectAdjustment({ ...order, reason: body.reason }, options);
        const outcome = outcomeOf(decided.adjustment);
        await endExceptionOf(parts, decided.adjustment, { actor, requestId });
        return outcome;
      },
    );
  return [
    programRead(
      parts,
      { path: '/api/adjustments', access: 'money.read', operation: 'money.list', reason: 'list of orders', query },
      async ({ query: { status, cursor }, ...call }) => {
        const wire = status === undefined ? AdjustmentStatus.UNSPECIFIED : STATUSES[status];
        const found = await services.adjustments.listAdjustments({ status: wire, page: { limit: LIMIT, cursor } }, withinRequest(call));
        const involved = found.adjustments.flatMap((order) => [order.metadata?.actor ?? '', deciderOf(order)]);
        const [names, owners] = await Promise.all([
          operators.names(involved.filter((name) => name !== '').map(operatorIdOf)),
          ownersOf(accountsOf(found.adjustments), call),
        ]);
        const shown = found.adjustments.map((one) => toAdjustment(one, assets, names));
        return { adjustments: shown, owners, ...nextOf(found.page?.nextCursor) };
      },
    ),
    programRead(
      parts,
      { path: '/api/money/allowance', access: 'money.order', operation: 'money.allowance', reason: 'what may be ordered', query: sides },
      async ({ query: { debit, credit }, actor, ...call }): Promise<MoneyAllowance> => {
        const { amounts } = await services.adjustments.getAllowance({ actor, accounts: [debit, credit] }, withinRequest(call));
        return { amounts };
      },
    ),
    action(parts, { path: '/api/adjustments', access: 'money.order', operation: 'money.order', body: adjustmentBody }, async (call) => {
      const { transfers, reason } = call.body;
      const order = { adjustmentId: call.actionId, metadata: { actor: call.actor, reason } };
      const change = { case: 'transfers' as const, value: { transfers } };
      return outcomeOf((await services.adjustments.createAdjustment({ ...order, change }, withinRequest(call))).adjustment);
    }),
    programRead(
      parts,
      { path: '/api/money/accounts/{accountId}', access: 'money.read', operation: 'money.account', reason: 'account of an order' },
      async ({ params, ...call }): Promise<MoneyAccount> => {
        const accountId = params['accountId'] ?? '';
        const options = withinRequest(call);
        const [{ account }, { currencies }] = await Promise.all([
          services.accounts.getAccount({ key: { case: 'accountId', value: accountId } }, options),
          services.balances.getAccountBalances({ accountId }, options),
        ]);
        if (account === undefined) throw new CodedError('ACCOUNT_NOT_FOUND');
        const found = await undefinedOn('USER_NOT_FOUND', services.users.getUser({ userId: account.userId }, options));
        return {
          id: account.id,
          userId: account.userId,
          ...(found?.user === undefined ? {} : { email: maskEmail(found.user.email) }),
          reference: account.reference,
          status: wordOf(AccountStatus, account.status),
          balances: currencies.map(({ currency, decimals, spendable }) => ({ currency, decimals, spendable })),
        };
      },
    ),
    {
      method: 'GET',
      path: '/api/money/tokens',
      access: 'money.read',
      handle: async ({ requestId }) => {
        const options = withinRequest({ requestId });
        const [{ accounts }, { tokens }] = await Promise.all([
          services.balances.getSystemBalances({}, options),
          services.balances.listTokens({}, options),
        ]);
        const body: MoneyTokens = {
          tokens: tokens.map(({ symbol, decimals, currency, approvalAbove, approvalWindowHours }) => {
            return { token: symbol, decimals, currency, approvalAbove, approvalWindowHours };
          }),
          systemAccounts: accounts.map(({ name }) => name),
        };
        return { body };
      },
    },
    decide('approve'),
    decide('reject'),
  ];
};
