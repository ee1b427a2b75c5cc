import {
  ExceptionKind as CardExceptionKind,
  ExceptionStatus as CardExceptionStatus,
  type Exception,
} from '@florin/proto/card/v1/exception';
import { DisputeStage, type Payment, type PaymentDispute } from '@florin/proto/card/v1/payment';
import { ExceptionKind, ExceptionStatus } from '@florin/proto/chain/v1/watch';
import { WebhookDisabledReason } from '@florin/proto/events/v1/webhook_endpoint';
import { KycStatus } from '@florin/proto/identity/v1/user';
import { AccountStatus } from '@florin/proto/ledger/v1/account';
import { AdjustmentStatus } from '@florin/proto/ledger/v1/adjustment';
import { DepositStatus } from '@florin/proto/ledger/v1/movement';
import type { Assets } from '@florin/rpc/assets';
import { undefinedOn, withinRequest } from '@florin/rpc/client';
import type { Runtime } from '@florin/rpc/runtime';
import { accountOwners } from '../clients/account-owners.ts';
import type { Services } from '../clients/services.ts';
import { COUNTED_TO, type Queue, type QueueItem } from '../contract/index.ts';
import type { HaltOrderStore, ReplacementOrderStore } from '../store/orders.ts';
import { disputesOf } from '../views/card.ts';
import { currencyAmount, tokenAmount } from '../views/money.ts';
import { isoOf, isoUnlessAbsent, unlessEmpty, wordOf } from '../views/words.ts';

/** An open item as its service tells it. `deadline` is when it is due, where the service knows that. */
export type OpenItem = Pick<QueueItem, 'id' | 'kind' | 'userId' | 'partnerId' | 'amount' | 'since'> & { deadline?: string };

type Page = { items: OpenItem[]; nextCursor?: string };
type Call = { requestId: string };

/** Reads a page of up to 100 open items. */
type Pages = (call: Call, cursor: string) => Promise<Page>;

type Source = {
  page: Pages;
  /** Reports whether an item is open, as its service tells it by its id. */
  isOpen: (id: string, call: Call) => Promise<boolean>;
};

const LIMIT = 100;

/** The most pages of a queue that are read. */
export const MAX_PAGES = COUNTED_TO / LIMIT;

/** Orders that the back office itself keeps are few. */
const MAX_OWN = 50;

/** The reports of the card network that compare its settlement with what was booked. */
const OF_SETTLEMENT: readonly CardExceptionKind[] = [
  CardExceptionKind.UNMATCHED_SETTLEMENT,
  CardExceptionKind.SETTLEMENT_DIFFERENCE,
  CardExceptionKind.NOT_SETTLED,
  CardExceptionKind.UNEXPLAINED_MOVEMENT,
];
/** All other reports. */
const OF_PAYMENTS: readonly CardExceptionKind[] = Object.values(CardExceptionKind).filter(
  (kind) => typeof kind === 'number' && kind !== CardExceptionKind.UNSPECIFIED && !OF_SETTLEMENT.includes(kind),
) as CardExceptionKind[];

const pageOf = (cursor: string) => ({ limit: LIMIT, cursor });
const nextOf = (page: { nextCursor: string } | undefined) => unlessEmpty('nextCursor', page?.nextCursor ?? '');

/** The dispute of a payment that waits for its next step. */
const openDispute = (payment: Payment): PaymentDispute | undefined => disputesOf(payment).find(({ status }) => status === 'submitted');

/** Where the items of queues are. */
export type QueueParts = {
  services: Services;
  haltOrders: Pick<HaltOrderStore, 'waiting' | 'find'>;
  replacementOrders: Pick<ReplacementOrderStore, 'waiting' | 'find'>;
  assets: Assets;
  runtime: Pick<Runtime, 'now'>;
};

/** The open items of each queue, at the services that have them. A platform without a service has nothing in its queue. */
export const createQueueSources = (parts: QueueParts): Readonly<Record<Queue, Source>> => {
  const { services, haltOrders, replacementOrders, assets, runtime } = parts;
  const withOwners = async (items: readonly (OpenItem & { accountId: string })[], call: Call): Promise<OpenItem[]> => {
    const accountIds = items.map(({ accountId }) => accountId);
    const owners = await accountOwners(services, accountIds, withinRequest(call));
    return items.map(({ accountId, ...item }) => ({ ...item, ...unlessEmpty('userId', owners.get(accountId) ?? '') }));
  };

  const toCardException = (one: Exception): OpenItem => {
    const amount = one.amount === '' ? one.originalAmount : one.amount;
    return {
      id: one.id,
      kind: wordOf(CardExceptionKind, one.kind),
      ...(amount === '' ? {} : { amount: currencyAmount(amount, one.amount === '' ? one.originalCurrency : one.currency) }),
      since: isoOf(one.createdAt),
    };
  };
  const cardExceptions = (kinds: readonly CardExceptionKind[]): Source => ({
    page: async (call, cursor) => {
      const request = { status: CardExceptionStatus.OPEN, kinds: [...kinds], page: pageOf(cursor) };
      const { exceptions, page } = await services.exceptions.listExceptions(request, withinRequest(call));
      return { items: exceptions.map(toCardException), ...nextOf(page) };
    },
    isOpen: async (exceptionId, call) => {
      const found = await undefinedOn('EXCEPTION_NOT_FOUND', services.exceptions.getException({ exceptionId }, withinRequest(call)));
      return found?.exception?.status === CardExceptionStatus.OPEN && kinds.includes(found.exception.kind);
    },
  });

  /** Orders that the back office itself keeps are all on the first page. */
  const ownOrdersOn = async (cursor: string): Promise<OpenItem[]> => {
    if (cursor !== '') return [];
    const now = runtime.now();
    const [halts, replacements] = await Promise.all([haltOrders.waiting(MAX_OWN, now), replacementOrders.waiting(MAX_OWN, now)]);
    return [
      ...halts.map(({ _id: id, createdAt }) => ({ id, kind: 'halt', since: createdAt.toISOString() })),
      ...replacements.map(({ _id: id, userId, createdAt }) => ({ id, kind: 'replacement', userId, since: createdAt.toISOString() })),
    ];
  };

  /** A queue whose service has no RPC for a single item is searched. */
  const searched = (page: Pages): Source => ({
    page,
    isOpen: async (id, call) => {
      let cursor: string | undefined = '';
      for (let left = MAX_PAGES; cursor !== undefined && left > 0; left -= 1) {
        const { items, nextCursor }: Page = await page(call, cursor);
        if (items.some((item) => item.id === id)) return true;
        cursor = nextCursor;
      }
      return false;
    },
  });

  return {
    deposits: {
      page: async (call, cursor) => {
        const { deposits, page } = await services.movements.listPendingDeposits({ page: pageOf(cursor) }, withinRequest(call));
        const items = deposits.map(({ id, accountId, amount, decimals, currency, createdAt }) => ({
          ...{ id, accountId, kind: 'deposit', amount: { amount, decimals, currency } },
          since: isoOf(createdAt),
        }));
        return { items: await withOwners(items, call), ...nextOf(page) };
      },
      isOpen: async (depositId, call) => {
        const found = await undefinedOn('DEPOSIT_NOT_FOUND', services.movements.getDeposit({ depositId }, withinRequest(call)));
        return found?.deposit?.status === DepositStatus.PENDING;
      },
    },
    identity: {
      page: async (call, cursor) => {
        const { reviews, page } = await services.kyc.listKycReviews({ page: pageOf(cursor) }, withinRequest(call));
        return {
          items: reviews.map(({ userId, since }) => ({ id: userId, userId, kind: 'review', since: isoOf(since) })),
          ...nextOf(page),
        };
      },
      isOpen: async (userId, call) => {
        const found = await undefinedOn('USER_NOT_FOUND', services.users.getUser({ userId }, withinRequest(call)));
        return found?.user?.kycStatus === KycStatus.IN_REVIEW;
      },
    },
    accounts: {
      page: async (call, cursor) => {
        const { accounts, page } = await services.accounts.listAccounts({ blocked: true, page: pageOf(cursor) }, withinRequest(call));
        // One that was replaced stays blocked for ever.
        const open = accounts.filter(({ successorAccountId }) => successorAccountId === '');
        const items = open.map(({ id, userId, updatedAt }) => ({ id, userId, kind: 'account', since: isoOf(updatedAt) }));
        return { items, ...nextOf(page) };
      },
      isOpen: async (value, call) => {
        const key = { case: 'accountId' as const, value };
        const found = await undefinedOn('ACCOUNT_NOT_FOUND', services.accounts.getAccount({ key }, withinRequest(call)));
        return found?.account?.status === AccountStatus.BLOCKED && found.account.successorAccountId === '';
      },
    },
    orders: {
      page: async (call, cursor) => {
        const request = { status: AdjustmentStatus.PENDING, page: pageOf(cursor) };
        const [{ adjustments, page }, own] = await Promise.all([
          services.adjustments.listAdjustments(request, withinRequest(call)),
          ownOrdersOn(cursor),
        ]);
        const orders = adjustments.map(({ id, change, createdAt }): OpenItem => {
          const [move] = change.case === 'transfers' ? change.value.transfers : [];
          return {
            ...{ id, kind: change.case === 'transfers' ? 'transfer' : 'reversal', since: isoOf(createdAt) },
            ...(move === undefined ? {} : { amount: tokenAmount(assets, move.token, move.amount) }),
          };
        });
        return { items: [...own, ...orders], ...nextOf(page) };
      },
      isOpen: async (id, call) => {
        const own = (await haltOrders.find(id)) ?? (await replacementOrders.find(id));
        if (own !== null) return own.status === 'pending' && own.expiresAt > runtime.now();
        const request = services.adjustments.getAdjustment({ adjustmentId: id }, withinRequest(call));
        return (await undefinedOn('ADJUSTMENT_NOT_FOUND', request))?.adjustment?.status === AdjustmentStatus.PENDING;
      },
    },
    exceptions: cardExceptions(OF_PAYMENTS),
    settlement: cardExceptions(OF_SETTLEMENT),
    disputes: {
      page: async (call, cursor) => {
        const { payments, page } = await services.payments.listDisputes({ status: 'submitted', page: pageOf(cursor) }, withinRequest(call));
        const items = payments.map((payment) => {
          const { id, accountId, currency, createdAt } = payment;
          const open = openDispute(payment);
          return {
            ...{
              id,
              accountId,
              kind: wordOf(DisputeStage, open?.stage ?? DisputeStage.UNSPECIFIED),
              since: isoOf(open?.openedAt ?? createdAt),
            },
            ...(open === undefined ? {} : { amount: currencyAmount(open.amount, currency) }),
            ...isoUnlessAbsent('deadline', open?.deadline),
          };
        });
        return { items: await withOwners(items, call), ...nextOf(page) };
      },
      isOpen: async (paymentId, call) => {
        const found = await undefinedOn('PAYMENT_NOT_FOUND', services.payments.getPayment({ paymentId }, withinRequest(call)));
        return found?.payment !== undefined && openDispute(found.payment) !== undefined;
      },
    },
    transfers: searched(async (call, cursor) => {
      const found = await services.watches?.listExceptions({ status: ExceptionStatus.OPEN, page: pageOf(cursor) }, withinRequest(call));
      const items = (found?.exceptions ?? []).map(({ id, kind, token, amount, createdAt }) => ({
        ...{ id, kind: wordOf(ExceptionKind, kind), since: isoOf(createdAt) },
        ...(amount === '' || amount === '0' ? {} : { amount: tokenAmount(assets, token, amount) }),
      }));
      return { items, ...nextOf(found?.page) };
    }),
    webhooks: searched(async (call, cursor) => {
      const found = await services.webhooks?.listFailingWebhookEndpoints(pageOf(cursor), withinRequest(call));
      const items = (found?.endpoints ?? []).map(({ id, partnerId, disabledReason, since }) => ({
        ...{ id, partnerId, since: isoOf(since) },
        kind: disabledReason === WebhookDisabledReason.UNSPECIFIED ? 'failing' : 'disabled',
      }));
      return { items, ...nextOf(found) };
    }),
  };
};
