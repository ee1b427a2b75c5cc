import type { CallOptions } from '@connectrpc/connect';
import { DisputeStage, type Payment } from '@florin/proto/card/v1/payment';
import { OutboxChannel } from '@florin/proto/identity/v1/sandbox_service';
import { WithdrawalStatus } from '@florin/proto/ledger/v1/movement';
import { CodedError } from '@florin/rpc/errors';
import { amountSchema, minorUnitDigits } from '@florin/rpc/money';
import { z } from 'zod';
import type { Upstream } from '../../clients/upstream.ts';
import { defineRoute } from '../../http/define-route.ts';
import { cardDisputeDetail, cardTransactionDetail, toCardDisputeDetail, toCardTransactionDetail } from '../../schemas/card-transaction.ts';
import { challengeDetail, merchantInput, toChallengeDetail } from '../../schemas/challenge.ts';
import { currencyInput, dateTime, id, present, toIso, tokenAmountInput, tokenInput, txHash } from '../../schemas/fields.ts';
import { kycMove, kycStatus, toKycStatus, toWireKycStatus } from '../../schemas/kyc.ts';
import { text } from '../../schemas/text.ts';
import { wordsOf } from '../../schemas/words.ts';
import { paymentOfDispute } from '../cards/card-disputes.ts';
import { networkDecision, toNetworkDecision } from './network-decision.ts';
import {
  bookedPayment,
  cardMerchantInput,
  currencyOrBilling,
  deliver,
  deliveryShape,
  eventReference,
  findNetworkPayment,
  networkAmount,
  networkParams,
  requireOwnCard,
  toNetworkAmount,
  toNetworkMerchant,
} from './network-event.ts';
import { sandboxTransactionHash } from './transaction-hash.ts';

const channels = wordsOf(OutboxChannel);

const message = z
  .object({
    channel: channels.schema,
    to: z.string(),
    text: z.string(),
    code: z.string().optional(),
    sentAt: dateTime,
  })
  .meta({ id: 'OutboxMessage' });

export const listOutbox = defineRoute({
  operationId: 'sandboxListOutbox',
  method: 'get',
  path: '/sandbox/outbox',
  tag: 'Sandbox',
  summary: 'List sent messages',
  description:
    'Returns the e-mails and text messages sent to an address or phone number, newest first: the newest 20, for a day. Everyone can read them, so use no real addresses and numbers. Erasing a person deletes the e-mails.',
  policy: 'public',
  sandboxOnly: true,
  query: z.object({
    // A plus sign in a query string decodes to a space; before a digit it was meant as the plus sign of a phone number.
    to: text({ min: 3, max: 254 })
      .transform((text) => text.replace(/^ (?=\d)/, '+'))
      .meta({ description: 'E-mail address, or phone number in E.164 format' }),
  }),
  answers: { 200: z.object({ data: z.array(message) }) },
  errors: [],
  handler: async ({ query }, { upstream, asGateway }) => {
    const { messages } = await asGateway((options) => upstream.sandbox.listOutboxMessages({ to: query.to }, options));
    return {
      data: messages.map(({ channel, to, text, code, sentAt }) => ({
        channel: channels.toWord(channel),
        to,
        text,
        ...(code === '' ? {} : { code }),
        sentAt: toIso(sentAt),
      })),
    };
  },
});

const STEPS = {
  complete: [WithdrawalStatus.PROCESSING, WithdrawalStatus.COMPLETED],
  fail: [WithdrawalStatus.PROCESSING, WithdrawalStatus.FAILED],
  process: [WithdrawalStatus.PROCESSING],
  hold: [],
} as const;

export const createWithdrawal = defineRoute({
  operationId: 'sandboxCreateWithdrawal',
  method: 'post',
  path: '/sandbox/withdrawals',
  tag: 'Sandbox',
  summary: 'Make a withdrawal',
  description: "Makes a withdrawal from the caller's account and moves it to the chosen outcome.",
  policy: 'user',
  sandboxOnly: true,
  body: z.object({
    token: tokenInput,
    amount: tokenAmountInput,
    outcome: z
      .enum(['complete', 'fail', 'process', 'hold'])
      .default('complete')
      .meta({ description: 'Outcome of the withdrawal; `process` leaves it `processing`, `hold` leaves it `pending`' }),
  }),
  answers: { 200: z.object({ id, txHash }) },
  errors: [
    'ACCOUNT_NOT_FOUND',
    'ACCOUNT_NOT_ACTIVE',
    'TOKEN_NOT_SUPPORTED',
    'AMOUNT_INVALID',
    'CHAIN_HALTED',
    'INSUFFICIENT_FUNDS',
    'TOKEN_BLOCKED',
    'WITHDRAWAL_STATE_CONFLICT',
  ],
  // Every step is idempotent by the withdrawal's id: if the gateway is killed in between, a retry with the same Idempotency-Key
  // completes them.
  handler: async ({ body: { token, amount, outcome } }, { upstream, asCaller, asGateway, requestKey }) => {
    const account = present((await upstream.accounts.getCurrentAccount({}, asCaller)).account, 'the account');
    const hash = sandboxTransactionHash(requestKey);
    const withdrawal = { withdrawalId: requestKey, accountId: account.id, token, amount, txHash: hash };
    await asGateway((options) => upstream.movements.createWithdrawal(withdrawal, options));
    for (const status of STEPS[outcome]) {
      await asGateway((options) => upstream.movements.updateWithdrawal({ withdrawalId: requestKey, status }, options));
    }
    return { id: requestKey, txHash: hash };
  },
});

const STAGES = {
  chargeback: DisputeStage.CHARGEBACK,
  representment: DisputeStage.REPRESENTMENT,
  pre_arbitration: DisputeStage.PRE_ARBITRATION,
  arbitration: DisputeStage.ARBITRATION,
  won: DisputeStage.WON,
  lost: DisputeStage.LOST,
} as const;

export const resolveDispute = defineRoute({
  operationId: 'sandboxResolveDispute',
  method: 'post',
  path: '/sandbox/disputes/{disputeId}/resolve',
  tag: 'Sandbox',
  summary: 'Advance or decide a dispute',
  description: 'Records that a dispute of the caller has reached a stage at the card network, or its outcome `won` or `lost`.',
  policy: 'user',
  sandboxOnly: true,
  params: z.object({ disputeId: id }),
  body: z.object({
    outcome: z.enum(Object.keys(STAGES) as (keyof typeof STAGES)[]),
    amount: z
      .string()
      .regex(/^[1-9][0-9]{0,14}$/, 'must be a positive integer in the minor unit')
      .optional()
      .meta({ description: 'The part that the step is about. Default: the disputed amount' }),
  }),
  answers: { 200: cardDisputeDetail },
  errors: ['PAYMENT_NOT_FOUND', 'DISPUTE_NOT_AVAILABLE'],
  handler: async ({ params: { disputeId }, body: { outcome, amount = '' } }, call) => {
    const paymentId = await paymentOfDispute(disputeId, call);
    const step = { paymentId, disputeId, eventId: `sandbox/${call.requestKey}`, stage: STAGES[outcome], amount };
    const { payment } = await call.asGateway((options) => call.upstream.cardPayments.advanceDispute(step, options));
    return present(toCardDisputeDetail(present(payment, 'the payment'), disputeId), 'the dispute');
  },
});

export const createChallenge = defineRoute({
  operationId: 'sandboxCreateChallenge',
  method: 'post',
  path: '/sandbox/3ds/challenges',
  tag: 'Sandbox',
  summary: 'Raise a 3DS challenge',
  description: "Raises a challenge for a payment with one of the caller's cards, as the issuer's access control server does.",
  policy: 'user',
  sandboxOnly: true,
  body: z.object({
    cardId: id,
    amount: amountSchema.meta({ description: "Integer in the currency's minor unit", examples: ['1999'] }),
    currency: currencyInput,
    merchant: merchantInput,
    expiresInSeconds: z.int().min(1).max(900).default(300).meta({ description: 'Time until the challenge expires, in seconds' }),
    confirmsLater: z
      .boolean()
      .default(false)
      .meta({ description: 'True if a decision stays `processing` until POST /sandbox/3ds/challenges/{challengeId}/confirm' }),
  }),
  answers: { 200: z.object({ challengeId: id }) },
  errors: ['CARD_NOT_FOUND', 'CARD_NOT_ACTIVE', 'ACCOUNT_NOT_ACTIVE'],
  handler: async ({ body }, { upstream, asCaller, asGateway, requestKey }) => {
    const { cardId, amount, currency, merchant: shop, expiresInSeconds, confirmsLater } = body;
    // The service accepts any card from an access control server; a sandbox caller may use only their own.
    const { cards } = await upstream.cards.listCards({ page: { limit: 100 } }, asCaller);
    if (!cards.some((card) => card.id === cardId)) throw new CodedError('CARD_NOT_FOUND');
    const payment = {
      reference: `sandbox-${requestKey}`,
      cardId,
      amount,
      currency,
      decimals: minorUnitDigits(currency) ?? 0,
      merchant: {
        id: shop.id ?? '',
        displayName: shop.displayName ?? '',
        country: shop.country ?? '',
        categoryCode: shop.categoryCode ?? '',
      },
      expiresInSeconds,
      confirmsLater,
    };
    const { challenge } = await asGateway((options) => upstream.challenges.createChallenge(payment, options));
    return { challengeId: present(challenge, 'challenge').id };
  },
});

type ChallengeOperation = {
  operationId: string;
  /** Last segment of the path. */
  action: string;
  summary: string;
  description: string;
  send: (challenges: Upstream['challenges'], challengeId: string, options: CallOptions) => Promise<unknown>;
};

/** The access control server's actions on a challenge that it raised. */
const challengeOperation = ({ action, send, ...declaration }: ChallengeOperation) =>
  defineRoute({
    ...declaration,
    method: 'post',
    path: `/sandbox/3ds/challenges/{challengeId}/${action}`,
    tag: 'Sandbox',
    policy: 'user',
    sandboxOnly: true,
    params: z.object({ challengeId: id }),
    answers: { 200: challengeDetail },
    errors: ['CHALLENGE_NOT_FOUND', 'CHALLENGE_STATE_CONFLICT'],
    handler: async ({ params: { challengeId } }, { upstream, asCaller, asGateway }) => {
      // An access control server may act on the challenge of any card; a sandbox caller only on their own.
      await upstream.challenges.getChallenge({ challengeId }, asCaller);
      await asGateway((options) => send(upstream.challenges, challengeId, options));
      return toChallengeDetail(await upstream.challenges.getChallenge({ challengeId }, asCaller));
    },
  });

export const confirmChallenge = challengeOperation({
  operationId: 'sandboxConfirmChallenge',
  action: 'confirm',
  summary: 'Confirm a decision',
  description: 'Confirms the decision of a challenge that was raised with `confirmsLater`: `processing` becomes `approved` or `declined`.',
  send: (challenges, challengeId, options) => challenges.acknowledgeDecision({ challengeId }, options),
});

export const cancelChallenge = challengeOperation({
  operationId: 'sandboxCancelChallenge',
  action: 'cancel',
  summary: 'Cancel a challenge',
  description: 'Withdraws a pending challenge, as the access control server does when the shopper leaves the checkout.',
  send: (challenges, challengeId, options) => challenges.cancelChallenge({ challengeId }, options),
});

export const incrementPayment = defineRoute({
  operationId: 'sandboxIncrementPayment',
  method: 'post',
  path: '/sandbox/payments/{transactionId}/increment',
  tag: 'Sandbox',
  summary: 'Raise a payment',
  description: 'Asks for more than was authorized. A decline leaves the authorization as it was.',
  policy: 'user',
  sandboxOnly: true,
  params: networkParams,
  body: z.object({ amount: networkAmount, currency: currencyOrBilling, ...deliveryShape }),
  answers: { 200: networkDecision },
  errors: ['PAYMENT_NOT_FOUND', 'CURRENCY_NOT_SUPPORTED'],
  handler: async ({ params, body }, call) => {
    const { event, currency } = await findNetworkPayment(call, params.transactionId, undefined);
    const request = { event, amount: toNetworkAmount(body.amount, body.currency ?? currency) };
    const { decision } = await deliver(body, () => call.asGateway((options) => call.upstream.cardNetwork.increment(request, options)));
    return toNetworkDecision(decision);
  },
});

type CreditRequest = Parameters<Upstream['cardNetwork']['credit']>[0];

type CreditOperation = {
  operationId: string;
  path: string;
  summary: string;
  description: string;
  send: (network: Upstream['cardNetwork'], request: CreditRequest, options: CallOptions) => Promise<{ payment?: Payment | undefined }>;
};

const creditOperation = ({ send, ...declaration }: CreditOperation) =>
  defineRoute({
    ...declaration,
    method: 'post',
    tag: 'Sandbox',
    policy: 'user',
    sandboxOnly: true,
    body: z.object({ cardId: id, amount: networkAmount, currency: currencyInput, merchant: cardMerchantInput, ...deliveryShape }),
    answers: { 200: cardTransactionDetail },
    errors: ['CARD_NOT_FOUND', 'CURRENCY_NOT_SUPPORTED'],
    handler: async ({ body }, { upstream, asCaller, asGateway, requestKey }) => {
      await requireOwnCard(upstream, body.cardId, asCaller);
      const request = {
        event: eventReference(requestKey, body.cardId, requestKey),
        amount: toNetworkAmount(body.amount, body.currency),
        merchant: toNetworkMerchant(body.merchant),
      };
      const { payment } = await deliver(body, () => asGateway((options) => send(upstream.cardNetwork, request as CreditRequest, options)));
      return toCardTransactionDetail(bookedPayment(payment));
    },
  });

export const createRefund = creditOperation({
  operationId: 'sandboxCreateRefund',
  path: '/sandbox/refunds',
  summary: 'Refund without a payment',
  description: 'Credits the account with a refund whose payment is not known.',
  send: (network, request, options) => network.refund(request as Parameters<typeof network.refund>[0], options),
});

export const createCredit = creditOperation({
  operationId: 'sandboxCreateCredit',
  path: '/sandbox/credits',
  summary: 'Push a credit',
  description: 'Credits the account with a push to the card.',
  send: (network, request, options) => network.credit(request, options),
});

export const advanceClock = defineRoute({
  operationId: 'sandboxAdvanceClock',
  method: 'post',
  path: '/sandbox/clock',
  tag: 'Sandbox',
  summary: "Move the clock of the caller's cards and challenges",
  description:
    'Holds and challenges whose time is over by then expire before the response; limits count in the new periods, and approvals grow old. A pending challenge becomes older by as much, so its typed data has to be requested again. Times of records that are final stay, and so does the time of sessions. The clock never goes back.',
  policy: 'user',
  sandboxOnly: true,
  body: z.object({ advanceSeconds: z.int().min(1).max(31_622_400) }),
  answers: { 200: z.object({ secondsAhead: z.int() }) },
  errors: [],
  handler: async ({ body }, { upstream, asCaller }) => {
    await upstream.threedsSandbox.ageChallenges({ seconds: body.advanceSeconds }, asCaller);
    const { secondsAhead } = await upstream.cardSandbox.advanceClock({ seconds: body.advanceSeconds }, asCaller);
    return { secondsAhead: Number(secondsAhead) };
  },
});

export const moveKyc = defineRoute({
  operationId: 'sandboxMoveKyc',
  method: 'post',
  path: '/sandbox/kyc',
  tag: 'Sandbox',
  summary: 'Move the identity check',
  description: "Moves the caller's identity check to a status, as an event of the KYC provider does.",
  policy: 'user',
  sandboxOnly: true,
  body: z.object({ status: kycMove }),
  answers: { 200: z.object({ status: kycStatus }) },
  errors: ['KYC_STATE_CONFLICT', 'USER_NOT_FOUND'],
  handler: async ({ body }, { upstream, asCaller }) => {
    const { status } = await upstream.sandbox.moveKyc({ status: toWireKycStatus(body.status) }, asCaller);
    return { status: toKycStatus(status) };
  },
});
