import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { HoldsClient } from '@florin/card/testing/holds';
import {
  ACTIONS,
  type Action,
  apply,
  canDispute,
  canEnd,
  disputeCredit,
  FUEL_HOLD,
  type Model,
  newModel,
  ownerOf,
  PROVISIONAL_PERCENT,
} from '@florin/card/testing/payment-model';
import { ExceptionKind } from '@florin/proto/card/v1/exception';
import { ExceptionService } from '@florin/proto/card/v1/exception_service';
import { DisputeStage } from '@florin/proto/card/v1/payment';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { BalanceService } from '@florin/proto/ledger/v1/balance_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { onBehalfOf, type RpcChannel } from '@florin/rpc/client';
import { CodedError } from '@florin/rpc/errors';
import { scaled } from '@florin/rpc/testing/scaled';
import { waitFor } from '@florin/rpc/testing/wait-for';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { registerWithRetries } from '../faults/life.ts';
import { createPersistentClient } from '../faults/persistent-client.ts';
import type { ApiClient } from '../support/api-client.ts';
import { type CardNetwork, connectCardNetwork, euro, SHOP, untilKnown } from '../support/card-network.ts';
import { createMortality, type Death } from '../support/mortal-card.ts';
import { type Answered, createNetworkActions, digitsOf, type NetworkActions, reported } from '../support/network-actions.ts';
import { openOperatorChannel } from '../support/operator-channel.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { createCard } from '../support/story.ts';

type Step = {
  payment: number;
  action: Action;
  amount: number;
  fault: number;
  death: Death | undefined;
  /** It comes under a transaction id of its own, with the network's id that was stated with the approval, if the network may send it so. */
  isOwn?: boolean;
};

/** Orders to a ledger whose backup is older than the payments: it has carried them out, and has lost them. */
const LOST: Partial<HoldsClient> = {
  open: async () => 'held',
  increase: async () => 'held',
  decrease: async () => undefined,
  extend: async () => undefined,
  void: async () => undefined,
  post: async ({ postingId }) => ({ entryId: `posting/${postingId}`, fromHold: 0n, debt: 0n }),
  transfer: async () => undefined,
  move: async () => undefined,
};

/** The ledger as the card service sees it: with a fault, a call fails before it is made, or its answer is lost. */
const faulty = (holds: HoldsClient, faults: { next: () => number }): HoldsClient => {
  const broken = (name: keyof HoldsClient) =>
    (async (...args: never[]) => {
      const fault = faults.next();
      const fail = () => {
        throw new CodedError('SERVICE_UNAVAILABLE');
      };
      if (fault === 1) fail();
      const order = (isLosing ? LOST[name] : undefined) ?? holds[name];
      const result = await (order as (...all: never[]) => Promise<unknown>)(...args);
      if (fault === 2) fail();
      return result;
    }) as never;
  const names = [...(Object.keys(LOST) as (keyof HoldsClient)[]), 'heldBefore', 'standing', 'available', 'debt'] as const;
  return Object.fromEntries(names.map((name) => [name, broken(name)])) as unknown as HoldsClient;
};

const mortality = createMortality();
let platform: PlatformInProcess;
let network: CardNetwork;
let actions: NetworkActions;
let ledger: RpcChannel;
let queue: RpcChannel;
/** Repeats what is not answered in time. */
let api: ApiClient;
let fault = 0;
/** True while the ledger loses what it is ordered. */
let isLosing = false;
beforeAll(async () => {
  const faults = {
    next: () => {
      const now = fault;
      fault = 0;
      return now;
    },
  };
  platform = await startPlatformInProcess(
    // A repeat of a request whose service has died waits so long for its decision.
    {
      AUTHORIZATION_DEADLINE_MS: '2000',
      // Longer than anything here takes, on the clock of the test.
      ...{ ACKNOWLEDGING_CLIENTS: '["operator"]', UNACKNOWLEDGED_MINUTES: '1440' },
      CARD_PROGRAM: JSON.stringify({
        fuelHold: String(FUEL_HOLD),
        provisionalCreditPercent: PROVISIONAL_PERCENT,
        provisionalCreditLimits: { disputes: 100 },
      }),
    },
    { card: { wrapHolds: (holds) => mortality.wrapHolds(faulty(holds, faults)) } },
  );
  api = createPersistentClient(platform.url);
  network = connectCardNetwork(platform.urls['CARD_URL'] ?? '', platform.operatorKey);
  actions = createNetworkActions(network);
  ledger = openOperatorChannel(platform, {
    audience: 'ledger',
    baseUrl: platform.urls['LEDGER_URL'],
    scopes: [LEDGER_SCOPES.readBalances],
  });
  queue = openOperatorChannel(platform, { audience: 'card', baseUrl: platform.urls['CARD_URL'], scopes: [CARD_SCOPES.readExceptions] });
});
afterAll(async () => {
  await network?.close();
  await ledger?.close();
  await queue?.close();
  await platform?.close();
  mortality.restore();
});

const DEPOSIT = 20_000;

const holder = async () => {
  const { token } = await waitFor('a registration', () => registerWithRetries(api), 120_000);
  const cards = [await createCard(api, token), await createCard(api, token, { cardName: 'Second' })] as const;
  await api.as(token).sandbox.createDeposit({ token: 'EURe', amount: `${BigInt(DEPOSIT) * 10n ** 16n}` });
  return { token, cards };
};

/** A payment under way, and what the network knows of it. */
type Sent = {
  transactionId: string;
  /** The network's own id of it, and true once the network has stated that. */
  networkId: string;
  isNamed?: boolean;
  /** Refunds under a transaction id of their own name the payment by its authorization code. */
  refundId: string;
  merchant: { id: string; name: string };
  token: string;
  paymentId?: string | undefined;
  authorizationCode?: string | undefined;
  /** The events that the network may send once more: the ids of the latest approval, of the latest authorization and increase, the latest clearing and the latest reversal of a part. */
  approvedId?: string | undefined;
  authorizedId?: string | undefined;
  increasedId?: string | undefined;
  /** True once an increase was sent under the transaction id of increases. */
  isIncreased?: boolean;
  presented?: { amount: number; acquirerReference: string } | undefined;
  reversed?: { amount: number; traceNumber: string } | undefined;
};

/** Events that begin a payment, and state the network's id of it. */
const BEGINNING: ReadonlySet<Action> = new Set(['authorize', 'withdraw', 'fuel', 'advise', 'standIn']);

/** Events of an approved payment that the network may send under a transaction id of their own. */
const FOLLOWING: ReadonlySet<Action> = new Set([
  ...(['clear', 'clearPart', 'reverse', 'reversePart', 'expire', 'advise', 'standIn'] as const),
  ...(['refundElsewhere', 'reverseElsewhere', 'present', 'undo', 'undoIncrease'] as const),
]);

type SentEvent = { eventId: string; cardId: string; isOwn: boolean };

const sendOnce = async (action: Action, { isOwn, ...event }: SentEvent, amount: number, sent: Sent): Promise<Answered> => {
  const { processor, payments } = network;
  const { networkId, merchant, token, paymentId = '' } = sent;
  const [transactionId, refundId] = isOwn ? [`${event.eventId}-own`, `${event.eventId}-own`] : [sent.transactionId, sent.refundId];
  const authorizationCode = isOwn ? '' : (sent.authorizationCode ?? '');
  const named = isOwn || BEGINNING.has(action) ? { transactionId: networkId } : {};
  const ofPayment = { ...event, transactionId, network: named };
  const request = { event: ofPayment, amount: euro(amount), merchant };
  // An increase names its payment by code, and what follows names the increase.
  const aside = { ...request, event: { ...event, authorizationCode, transactionId: `${sent.transactionId}-aside` } };
  const elsewhere = {
    ...request,
    event: { ...event, transactionId: refundId, authorizationCode, network: named },
    merchant: { name: 'Head office' },
  };
  /** A repeat returns the payment as it is by then. */
  const settledBy = async (call: Promise<unknown>): Promise<Answered> => {
    try {
      await call;
      return { approved: true, answer: undefined };
    } catch (error) {
      if (error instanceof CodedError && error.code === 'DISPUTE_NOT_AVAILABLE') return { approved: false, answer: undefined };
      throw error;
    }
  };
  const advanced = (stage: DisputeStage, more: { amount?: string } = {}) =>
    settledBy(payments.advanceDispute({ paymentId, eventId: event.eventId, stage, ...more }));
  switch (action) {
    case 'incrementAside': {
      const answered = await actions.increment(aside);
      sent.isIncreased = true;
      return answered;
    }
    case 'adviseAside':
      return reported(await processor.advise({ event: aside.event, amount: aside.amount }));
    case 'reverseAside':
      return actions.reverse(aside);
    case 'reversePartAside':
      return actions.reversePart(aside);
    case 'acknowledge':
      return reported(await processor.acknowledge({ eventId: sent.approvedId ?? '', transactionId }));
    case 'clear':
    case 'clearPart': {
      const acquirerReference = digitsOf(event.eventId, 23);
      const answered = await actions[action]({ ...request, event: { ...ofPayment, network: { ...named, acquirerReference } } });
      sent.presented = { amount, acquirerReference };
      return answered;
    }
    case 'presentAgain': {
      const { amount: again = 0, acquirerReference = '' } = sent.presented ?? {};
      const elsewhereAgain = { ...event, transactionId: `${event.eventId}-again`, network: { acquirerReference } };
      return actions.clear({ event: elsewhereAgain, amount: euro(again), merchant });
    }
    case 'undo':
      return actions.undoRequest(ofPayment, sent.authorizedId ?? '');
    case 'undoIncrease':
      return actions.undoRequest(ofPayment, sent.increasedId ?? '');
    case 'reversePart': {
      const traceNumber = digitsOf(event.eventId, 6);
      const answered = await actions.reversePart({ ...request, event: { ...ofPayment, network: { ...named, traceNumber } } });
      sent.reversed = { amount, traceNumber };
      return answered;
    }
    case 'reverseAgain': {
      const { amount: again = 0, traceNumber = '' } = sent.reversed ?? {};
      const repeat = { ...ofPayment, network: { traceNumber, repeat: true } };
      return actions.reversePart({ ...request, event: repeat, amount: euro(again) });
    }
    case 'refundElsewhere':
      return actions.refund(elsewhere);
    case 'reverseElsewhere':
      return actions.reverseRefund(elsewhere);
    case 'dispute': {
      const asHolder = onBehalfOf({ token, requestId: event.eventId });
      return settledBy(payments.disputePayment({ paymentId, requestId: event.eventId, reason: 'other' }, asHolder));
    }
    case 'disputePart':
      return settledBy(payments.disputePayment({ paymentId, requestId: event.eventId, reason: 'other', amount: String(amount) }));
    case 'chargeBack':
      return advanced(DisputeStage.CHARGEBACK);
    case 'arbitrate':
      return advanced(DisputeStage.ARBITRATION);
    case 'giveUp':
      return advanced(DisputeStage.WITHDRAWN);
    case 'winPart':
      return advanced(DisputeStage.WON, { amount: String(amount) });
    case 'win':
    case 'lose':
      return settledBy(payments.resolveDispute({ paymentId, won: action === 'win' }));
    default:
      return actions[action](request);
  }
};

/** Requests whose approval can be undone, repeated or cleared later. */
const REQUESTS: ReadonlySet<Action> = new Set(['authorize', 'fuel', 'withdraw', 'increment', 'incrementAside']);

/** Keeps what the network knows of a payment after an answer. */
const learn = (sent: Sent, action: Action, eventId: string, { approved, decision, paymentId }: Answered): void => {
  if (!action.endsWith('Elsewhere') && action !== 'verify' && action !== 'inquire') sent.paymentId ??= paymentId;
  if (!approved || !REQUESTS.has(action)) return;
  sent.authorizationCode ??= decision?.authorizationCode;
  sent.approvedId = eventId;
  sent[action.startsWith('increment') ? 'increasedId' : 'authorizedId'] = eventId;
};

/** Starts another card service where the one before has died. */
const startAgain = async (): Promise<void> => {
  mortality.spare();
  if (!mortality.isDead()) return;
  mortality.revive();
  await platform.restartCard();
};

/** Sends an event until it is answered; returns whether a request was approved, and the answer. */
const send = async (action: Action, event: SentEvent, amount: number, sent: Sent) => {
  const answered = await untilKnown(async () => {
    try {
      const given = await sendOnce(action, event, amount, sent);
      learn(sent, action, event.eventId, given);
      return given;
    } catch (error) {
      await startAgain();
      throw error;
    }
  });
  await startAgain();
  return answered;
};

/** Returns true if the payment has what an action needs. */
const isKnown = (action: Action, { sent, model }: Followed): boolean => {
  if (action === 'incrementAside') return model.open && !model.ended;
  if (action.endsWith('Aside')) return sent.isIncreased === true && model.open && !model.atOnce;
  if (action === 'refundElsewhere' || action === 'reverseElsewhere') return sent.authorizationCode !== undefined;
  if (action === 'acknowledge') return sent.approvedId !== undefined;
  if (action === 'undo') return sent.authorizedId !== undefined;
  if (action === 'undoIncrease') return sent.increasedId !== undefined;
  if (action === 'presentAgain') return sent.presented !== undefined;
  if (action === 'reverseAgain') return sent.reversed !== undefined;
  return !NEEDS_PAYMENT.has(action) || sent.paymentId !== undefined;
};
const NEEDS_PAYMENT: ReadonlySet<Action> = new Set([
  ...(['dispute', 'disputePart', 'chargeBack', 'arbitrate', 'win', 'winPart', 'lose', 'giveUp'] as const),
]);

/** Of a card service that dies: at the claim of an event, at its reservation or its record, or at what follows. */
const death = fc.record({ atWrite: fc.constantFrom(1, 2, 2, 3, 3, 4), isMade: fc.boolean() });

const step = fc.record({
  payment: fc.nat({ max: 2 }),
  action: fc.constantFrom(...ACTIONS),
  amount: fc.integer({ min: 1, max: 3000 }),
  // Most calls succeed, some never reach the ledger, of some the answer is lost.
  fault: fc.constantFrom(0, 0, 0, 1, 2),
  // One event in six meets a kill.
  death: fc.option(death, { freq: 5, nil: undefined }),
  isOwn: fc.boolean(),
});

/** The steps whose orders the ledger loses. */
type Loss = { from: number; steps: number };
const lost = fc.record({ from: fc.nat({ max: 9 }), steps: fc.integer({ min: 1, max: 5 }) });

/** Orders again what payments since a time have ordered. @returns the payments that cannot be replayed */
const replayed = async (since: Date): Promise<string[]> => {
  const skipped: string[] = [];
  let cursor = '';
  do {
    const request = { changedSince: timestampFromDate(since), page: { limit: 50, cursor } };
    const page = await untilKnown(() => network.payments.replayPayments(request));
    skipped.push(...page.skippedPaymentIds);
    cursor = page.page?.nextCursor ?? '';
  } while (cursor !== '');
  return skipped;
};

/**
 * Kills that random events seldom meet: a request whose claim is its service's last write, events whose record is or is not, a request whose money is
 * held and whose record is missing.
 */
const KILLED: Step[] = [
  { payment: 0, action: 'authorize', amount: 1000, fault: 0, death: { atWrite: 1, isMade: true } },
  { payment: 0, action: 'clear', amount: 700, fault: 0, death: { atWrite: 2, isMade: false } },
  { payment: 0, action: 'refund', amount: 200, fault: 0, death: { atWrite: 2, isMade: true } },
  { payment: 1, action: 'authorize', amount: 900, fault: 0, death: { atWrite: 3, isMade: false } },
];

/** Steps that undo a withdrawal, in both orders with refunds, over lost answers. */
const UNDONE: Step[] = [
  { payment: 0, action: 'withdraw', amount: 2000, fault: 0, death: undefined },
  { payment: 0, action: 'reverse', amount: 1, fault: 2, death: undefined },
  { payment: 0, action: 'refund', amount: 700, fault: 0, death: undefined },
  { payment: 1, action: 'withdraw', amount: 1000, fault: 0, death: undefined },
  { payment: 1, action: 'refund', amount: 300, fault: 0, death: undefined },
  { payment: 1, action: 'advise', amount: 600, fault: 1, death: undefined },
  { payment: 1, action: 'reversePart', amount: 500, fault: 0, death: { atWrite: 2, isMade: true } },
  { payment: 1, action: 'reverseRefund', amount: 300, fault: 0, death: undefined },
];

/** Fuel whose amount the advice sets, or of which the unit is reversed, and credits that are asked for. */
const PUMPED: Step[] = [
  { payment: 0, action: 'fuel', amount: 1, fault: 0, death: undefined },
  { payment: 0, action: 'advise', amount: 2500, fault: 2, death: undefined },
  { payment: 0, action: 'reversePart', amount: 400, fault: 0, death: { atWrite: 2, isMade: true } },
  { payment: 0, action: 'clear', amount: 2100, fault: 0, death: undefined },
  { payment: 0, action: 'askCredit', amount: 600, fault: 0, death: { atWrite: 2, isMade: false } },
  { payment: 0, action: 'refund', amount: 600, fault: 0, death: undefined },
  { payment: 1, action: 'fuel', amount: 1, fault: 2, death: undefined },
  { payment: 1, action: 'reversePart', amount: 40, fault: 0, death: undefined },
  { payment: 2, action: 'askCredit', amount: 900, fault: 0, death: undefined },
  { payment: 1, action: 'reversePart', amount: 60, fault: 0, death: undefined },
  { payment: 2, action: 'reverse', amount: 1, fault: 0, death: undefined },
];

/** Refunds under transaction ids of their own, before, in and after a dispute. */
const DISPUTED: Step[] = [
  { payment: 0, action: 'authorize', amount: 2000, fault: 0, death: undefined },
  { payment: 0, action: 'clear', amount: 2000, fault: 0, death: undefined },
  { payment: 0, action: 'refundElsewhere', amount: 300, fault: 1, death: undefined },
  { payment: 0, action: 'dispute', amount: 1, fault: 2, death: { atWrite: 2, isMade: true } },
  { payment: 0, action: 'refundElsewhere', amount: 900, fault: 2, death: { atWrite: 3, isMade: true } },
  { payment: 0, action: 'win', amount: 1, fault: 0, death: { atWrite: 1, isMade: true } },
  { payment: 0, action: 'reverseElsewhere', amount: 900, fault: 0, death: { atWrite: 2, isMade: false } },
  { payment: 0, action: 'refund', amount: 100, fault: 0, death: undefined },
];

/** Approvals of the network in our place, in the place of a hold and after a reversal, with what clearing files and repeats say of them. */
const STOOD_IN: Step[] = (
  [
    ['verify', 1, 0],
    ['withdraw', 2000, 2],
    ['reverse', 1, 0],
    ['refund', 300, 0],
    ['standIn', 2000, 1],
    ['clear', 2000, 0],
    ['presentAgain', 1, 2],
    ['reversePart', 500, 2],
    ['reverseAgain', 1, 0],
    ['clearUnknown', 700, 2],
    ['refundUnknown', 200, 1],
    ['advise', 1200, 0],
    ['clear', 900, 0],
  ] as const
).flatMap(([action, amount, fault], index) => [
  { payment: 0, action, amount, fault, death: undefined },
  // Without the withdrawal, the reversal comes first.
  ...(index < 2 ? [] : [{ payment: 1, action, amount, fault: 0, death: undefined }]),
]);

/** Requests whose answers were not used, before and after what the network approves in our place, and another attempt. */
const UNUSED: Step[] = (
  [
    [0, 'authorize', 1500, 2],
    [0, 'undo', 1, 2],
    [0, 'authorize', 1200, 1],
    [0, 'increment', 300, 0],
    [0, 'clear', 1100, 0],
    [0, 'undo', 1, 0],
    [1, 'withdraw', 2000, 0],
    [1, 'undo', 1, 1],
    [1, 'standIn', 2000, 0],
    [1, 'undo', 1, 0],
    [2, 'authorize', 800, 0],
    [2, 'undo', 1, 0],
    [2, 'advise', 900, 2],
    [2, 'undo', 1, 0],
  ] as const
).map(([payment, action, amount, fault]) => ({ payment, action, amount, fault, death: undefined }));

/** Attempts after others that were undone: what a refund has paid in between, what clearings exceed, and increases that had covered a part of a clearing, or of which a part was reversed. */
const RETRIED: Step[] = (
  [
    [0, 'withdraw', 2000, 0],
    [0, 'refund', 500, 0],
    [0, 'undo', 1, 2],
    [0, 'withdraw', 1800, 1],
    [0, 'clear', 2300, 0],
    [1, 'authorize', 1000, 0],
    [1, 'clearPart', 1400, 0],
    [1, 'increment', 700, 2],
    [1, 'undoIncrease', 1, 2],
    [1, 'undoIncrease', 1, 0],
    [1, 'increment', 900, 0],
    [1, 'clear', 300, 0],
    [2, 'authorize', 1000, 0],
    [2, 'incrementAside', 500, 2],
    [2, 'reversePart', 1200, 0],
    [2, 'undoIncrease', 1, 0],
    [2, 'incrementAside', 400, 1],
    [2, 'adviseAside', 600, 2],
    [2, 'reversePartAside', 100, 0],
    [2, 'reverseAside', 1, 2],
    [2, 'increment', 200, 0],
    [2, 'clear', 150, 0],
  ] as const
).map(([payment, action, amount, fault]) => ({ payment, action, amount, fault, death: undefined }));

/** A dispute of a part that is won, contested by the acquirer and lost, one of the rest that is given up and opened again, and won in part. */
const CONTESTED: Step[] = (
  [
    ['authorize', 2000, 0],
    ['clear', 2000, 0],
    ['disputePart', 500, 2],
    ['chargeBack', 1, 0],
    ['win', 1, 1],
    ['present', 500, 2],
    ['lose', 1, 0],
    ['dispute', 1, 0],
    ['giveUp', 1, 2],
    ['dispute', 1, 0],
    ['arbitrate', 1, 0],
    ['winPart', 900, 1],
    ['refund', 800, 0],
  ] as const
).map(([action, amount, fault]) => ({ payment: 0, action, amount, fault, death: undefined }));

/** Events under transaction ids of their own: of an authorization, of a withdrawal, and of what has expired. The last clearing has no payment, nor has what follows. */
const FOLLOWED: Step[] = (
  [
    [0, 'authorize', 2000, 0],
    [0, 'advise', 1500, 2],
    [0, 'clearPart', 400, 1],
    [0, 'reversePart', 300, 2],
    [0, 'reverseAgain', 1, 0],
    [0, 'clear', 500, 2],
    [0, 'refundElsewhere', 200, 0],
    [0, 'dispute', 1, 0],
    [0, 'reverseElsewhere', 200, 1],
    [0, 'win', 1, 0],
    [0, 'present', 900, 2],
    [0, 'lose', 1, 0],
    [1, 'withdraw', 1000, 0],
    [1, 'reversePart', 300, 2],
    [1, 'clear', 1000, 0],
    [1, 'advise', 600, 0],
    [1, 'standIn', 800, 1],
    [1, 'reverse', 1, 2],
    [2, 'authorize', 700, 0],
    [2, 'expire', 1, 1],
    [2, 'clear', 700, 0],
    [0, 'clear', 300, 2],
    [0, 'reverse', 1, 0],
  ] as const
).map(([payment, action, amount, fault]) => ({ payment, action, amount, fault, death: undefined, isOwn: true }));

/** Such events with a name that two open payments of a card have: they are about neither, until only one of them is open. */
const AMBIGUOUS: Step[] = (
  [
    [0, 'authorize', 2000, 0],
    [1, 'authorize', 900, 0],
    [2, 'authorize', 800, 0],
    [0, 'clear', 1100, 2],
    [2, 'reversePart', 200, 1],
    [0, 'advise', 1700, 0],
    [1, 'clear', 900, 0],
    [2, 'undo', 1, 0],
    [0, 'undo', 1, 0],
    [0, 'clear', 1600, 0],
    [2, 'clear', 500, 2],
  ] as const
).map(([payment, action, amount, fault]) => ({ payment, action, amount, fault, death: undefined, isOwn: true }));

/** A ledger that has lost holds, their changes and postings, before and between events that it keeps. */
const RESTORED: Step[] = (
  [
    ['authorize', 2000],
    ['increment', 500],
    ['clearPart', 300],
    ['reversePart', 200],
    ['clearPart', 400],
    ['announce', 100],
    ['clear', 700],
    ['refund', 100],
  ] as const
).flatMap(([action, amount]) => [0, 1].map((payment) => ({ payment, action, amount, fault: 0, death: undefined })));

/** `isAlike`: the network has the same id for all three payments. */
type Example = [steps: Step[], loss: Loss | undefined, isAlike: boolean];

const EXAMPLES: Example[] = (
  [
    [FOLLOWED, undefined],
    [FOLLOWED, { from: 2, steps: 12 }],
    [AMBIGUOUS, undefined],
    [KILLED, undefined],
    [UNDONE, { from: 0, steps: 2 }],
    [PUMPED, undefined],
    [DISPUTED, { from: 2, steps: 9 }],
    [STOOD_IN, undefined],
    [STOOD_IN, { from: 4, steps: 16 }],
    [UNUSED, undefined],
    [UNUSED, { from: 1, steps: 9 }],
    [RETRIED, undefined],
    [RETRIED, { from: 2, steps: 8 }],
    [CONTESTED, undefined],
    [CONTESTED, { from: 3, steps: 8 }],
    [RESTORED, { from: 0, steps: 5 }],
    [RESTORED, { from: 3, steps: 6 }],
  ] as [Step[], Loss | undefined][]
).map(([steps, loss]) => [steps, loss, steps === AMBIGUOUS]);

/** Returns the debt of `disputes`, the undecided credits of all disputes, and the suspense, in cents. */
const systemBalances = async () => {
  const { balances } = await ledger.client(BalanceService).getSystemBalances({});
  const of = (account: string): number =>
    Number(BigInt(balances.find(({ name, token }) => name === account && token === 'EURe')?.balance ?? '0') / 10n ** 16n);
  return { owed: -of('disputes'), suspended: of('suspense') };
};

/** The events that have raised the exception of a force post, sorted. */
const forcePosts = async (): Promise<string[]> => {
  const found: string[] = [];
  let cursor = '';
  do {
    const request = { kind: ExceptionKind.FORCE_POST, page: { limit: 100, cursor } };
    const { exceptions, page } = await untilKnown(() => queue.client(ExceptionService).listExceptions(request));
    found.push(...exceptions.map(({ eventId }) => eventId));
    cursor = page?.nextCursor ?? '';
  } while (cursor !== '');
  return found.toSorted();
};

/** A payment that the network knows, with the state that the model expects of it. */
type Followed = { sent: Sent; card: number; isOfStep: boolean; model: Model };

/** The payment of an event under a transaction id of its own, which it may begin; undefined if the network cannot send the event so. */
const ownerFor = (all: readonly Followed[], stated: Followed, action: Action): Followed | undefined => {
  const { sent, card } = stated;
  // These name their request.
  if (action === 'undo' || action === 'undoIncrease') return stated;
  const named = all.filter((one) => one.sent.isNamed && one.sent.networkId === sent.networkId && one.card === card);
  const areApproved = named.every(({ model, isOfStep }) => !isOfStep || model.open);
  const isUnclear = action.endsWith('Elsewhere') && named.length > 1;
  if (!FOLLOWING.has(action) || !named.includes(stated) || !areApproved || isUnclear) return undefined;
  const owner = ownerOf(
    named.map(({ model }) => model),
    action,
  );
  return named.find(({ model }) => model === owner) ?? { sent: { ...sent }, card, isOfStep: false, model: newModel() };
};

/** The network has the id already, for another payment of the card: an advice with it would be about that one. */
const isTaken = (all: readonly Followed[], { sent, card }: Followed, action: Action): boolean =>
  (action === 'advise' || action === 'standIn') &&
  sent.isNamed !== true &&
  all.some((one) => one.sent.isNamed && one.sent.networkId === sent.networkId && one.card === card);

it('records, limits and ledger agree with the model after any order of events, with faults and kills in between', {
  timeout: 480_000,
}, async () => {
  const run = async (steps: readonly Step[], loss: Loss | undefined, isAlike: boolean): Promise<void> => {
    const { token, cards } = await holder();
    const since = platform.clock.now();
    const systemBefore = await systemBalances();
    const cardDatabase = platform.databases.names.find((name) => name.endsWith('_card')) ?? '';
    const networkId = digitsOf(randomUUID(), 15);
    // The payments of the steps, then those that events under transaction ids of their own have begun.
    const all = [0, 1, 2].map(
      (place): Followed => ({
        ...{ model: newModel(), card: place % 2, isOfStep: true },
        sent: {
          ...{ transactionId: randomUUID(), refundId: randomUUID(), token, networkId: isAlike ? networkId : digitsOf(randomUUID(), 15) },
          // Merchants of their own: no refund matches another payment by merchant and amount.
          merchant: { id: `M-${place}`, name: SHOP.name },
        },
      }),
    );
    const answers: { action: Action; event: SentEvent; amount: number; sent: Sent; answer: unknown; isForced: boolean }[] = [];
    for (const [index, { payment, action, amount: drawn, fault: next, death: doomed, isOwn = false }] of steps.entries()) {
      isLosing = loss !== undefined && index >= loss.from && index < loss.from + loss.steps;
      const stated = all[payment] as Followed;
      const owner = isOwn ? ownerFor(all, stated, action) : undefined;
      const followed = owner ?? stated;
      const { model: before, sent, card } = followed;
      const event = { eventId: randomUUID(), cardId: cards[card] ?? '', isOwn: owner !== undefined };
      const amount = action === 'winPart' ? Math.min(drawn, before.disputes.at(-1)?.amount ?? drawn) : drawn;
      if (!isKnown(action, followed) || isTaken(all, followed, action)) continue;
      const known = { ...sent };
      fault = next;
      if (doomed !== undefined) mortality.doom(cardDatabase, doomed);
      const { approved, answer } = await send(action, event, amount, sent);
      fault = 0;
      if ((action === 'authorize' || action === 'withdraw' || action === 'fuel') && approved)
        expect(before.undone || !(before.open || before.ended)).toBe(true);
      if (action === 'increment' && approved) expect([before.open, before.ended]).toEqual([true, false]);
      if (action === 'dispute') expect(approved).toBe(canDispute(before));
      if (action === 'disputePart') expect(approved).toBe(canDispute(before, amount));
      if (action === 'win' || action === 'winPart' || action === 'lose' || action === 'giveUp')
        expect(approved).toBe(canEnd(before, action));
      followed.model = apply(before, action, amount, approved);
      sent.isNamed ||= BEGINNING.has(action);
      const isPresented = action === 'clear' || action === 'clearPart' || action === 'present';
      const isForced = action === 'forcePost' || (isPresented && !all.includes(followed));
      if (!all.includes(followed)) all.push(followed);
      // A repeat says what was said before. Of an acknowledgement, it returns the payment as it is by then.
      if (!NEEDS_PAYMENT.has(action) && action !== 'acknowledge') answers.push({ action, event, amount, sent: known, answer, isForced });
    }
    isLosing = false;
    if (loss !== undefined) platform.clock.advanceSeconds(610);
    expect(await replayed(since)).toEqual([]);
    // Every event again: the first answer, and nothing changes.
    for (const { action, event, amount, sent, answer } of answers) {
      expect((await send(action, event, amount, sent)).answer).toEqual(answer);
    }

    const sum = (of: (model: Model) => number): number => all.reduce((total, { model }) => total + of(model), 0);
    const refunded = sum((model) => model.refunded + model.elsewhere);
    const booked = DEPOSIT - sum(({ cleared }) => cleared) + refunded + sum(disputeCredit);
    platform.clock.advanceSeconds(30);
    const seen = async () => {
      // Orders that the ledger did not carry out in time are due again seconds later.
      platform.clock.advanceSeconds(1);
      const { data } = await api.as(token).userAccount.getBalances();
      const statement = await api.as(token).userMovements.listStatement();
      const system = await systemBalances();
      return {
        held: Number(data.find(({ currency }) => currency === 'EUR')?.nonSpendable),
        booked: Number(BigInt(statement.data[0]?.balanceAfter ?? '0') / 10n ** 16n),
        used: await Promise.all(cards.map(network.used)),
        owed: system.owed - systemBefore.owed,
        suspended: system.suspended - systemBefore.suspended,
      };
    };
    const held = sum((model) => model.held);
    const usedOf = (card: number): number =>
      all.reduce((total, one) => (one.card === card ? total + one.model.held + one.model.cleared : total), 0);
    const ofSystem = { owed: sum((model) => disputeCredit(model, true)), suspended: sum((model) => model.suspended) };
    const expected = { held, booked, used: [usedOf(0), usedOf(1)], ...ofSystem };
    await expect.poll(seen, { timeout: 60_000, interval: 200 }).toEqual(expected);
    const forced = answers.flatMap(({ isForced, event }) => (isForced ? [event.eventId] : []));
    expect((await forcePosts()).filter((id) => forced.includes(id))).toEqual(forced.toSorted());
    const found = await api.as(token).cards.listCardTransactions();
    const fields = ['heldAmount', 'clearedAmount', 'refundedAmount', 'relatedRefundAmount', 'pendingCreditAmount'] as const;
    expect(fields.map((field) => found.data.reduce((total, row) => total + Number(row[field]), 0))).toEqual([
      held,
      sum(({ cleared }) => cleared),
      refunded,
      sum(({ elsewhere }) => elsewhere),
      sum(({ announced }) => announced),
    ]);
  };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), fc.option(lost, { nil: undefined }), fc.boolean(), run),
    {
      numRuns: EXAMPLES.length + scaled(9),
      endOnFailure: true,
      examples: EXAMPLES,
    },
  );
  expect(mortality.deaths()).toBeGreaterThan(0);
});
