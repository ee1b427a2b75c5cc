import { CardService } from '@florin/proto/card/v1/card_service';
import { PaymentService } from '@florin/proto/card/v1/payment_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { ChallengeService } from '@florin/proto/threeds/v1/challenge_service';
import { THREEDS_SCOPES } from '@florin/proto/threeds/v1/scopes';
import { type RpcChannel, undefinedOn } from '@florin/rpc/client';
import { formatAmount } from '@florin/rpc/money';
import { z } from 'zod';
import { type CardEvent, declineGroup, type Facts, type Money } from '../domain/texts.ts';
import type { Delivery } from '../store/deliveries.ts';

/** Scopes of the services that are asked. */
export const FACT_SCOPES = {
  card: [CARD_SCOPES.readPayments, CARD_SCOPES.readCards],
  threeds: [THREEDS_SCOPES.readChallenges],
} as const;

/** The facts of an event, and the screen of the app that shows it. */
export type Told = {
  facts: Facts;
  /** The end of the app's URL: a path, or a query. */
  path: string;
  /** After it, there is nothing to decide any more. */
  expiresAt?: Date;
};

/**
 * Asks the services what an event tells, at the time at which it is sent: a notification is true then.
 * @returns undefined if there is nothing to tell any more: what it is about was decided, or erased. @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
 */
export type FindFacts = (delivery: Pick<Delivery, 'type' | 'subject' | 'data'>) => Promise<Told | undefined>;

const dataSchema = z.object({
  paymentId: z.string().optional(),
  cardId: z.string().optional(),
  amount: z.string().optional(),
  currency: z.string().optional(),
  decimals: z.int().optional(),
  change: z.string().optional(),
});

const toMoney = (amount: string, decimals: number, currency: string): Money => ({
  decimal: formatAmount(BigInt(amount || '0'), decimals),
  currency,
});

const PAYMENT_TYPES = {
  'payment.authorized': 'payment_approved',
  'payment.advised': 'payment_approved',
  'payment.force_posted': 'payment_approved',
  'payment.refunded': 'refund',
  'payment.related_refund': 'refund',
  'payment.credited': 'refund',
  'payment.dispute_won': 'dispute_won',
  'payment.dispute_lost': 'dispute_lost',
} as const;

const MOVEMENT_TYPES = {
  'deposit.approved': 'deposit_approved',
  'deposit.rejected': 'deposit_rejected',
  'withdrawal.completed': 'withdrawal_completed',
  'withdrawal.failed': 'withdrawal_failed',
} as const;

const SECURITY_TYPES = {
  'user.wallet_added': 'wallet_added',
  'user.wallet_removed': 'wallet_removed',
  'user.primary_wallet_changed': 'primary_wallet_changed',
  'user.card_limits_raising': 'limits_raising',
  'user.card_controls_opening': 'controls_opening',
  'user.signed_in_elsewhere': 'signed_in_elsewhere',
  'cardholder.phone_changed': 'phone_changed',
  'backup_key.named': 'backup_key_named',
  'recovery.requested': 'recovery_requested',
  'recovery.completed': 'recovery_completed',
  'recovery.cancelled': 'recovery_cancelled',
} as const;

const among = <T extends object>(types: T, type: string): type is Extract<keyof T, string> => Object.hasOwn(types, type);

const CARD_EVENTS: ReadonlySet<string> = new Set<CardEvent>([
  'issued',
  'frozen',
  'unfrozen',
  'lost',
  'stolen',
  'cancelled',
  'replaced',
  'renewed',
]);

export const createFindFacts = (channels: Readonly<Record<'card' | 'threeds', RpcChannel>>): FindFacts => {
  const payments = channels.card.client(PaymentService);
  const cards = channels.card.client(CardService);
  const challenges = channels.threeds.client(ChallengeService);

  const ofPayment = async (type: string, paymentId: string): Promise<Told | undefined> => {
    const found = await undefinedOn('PAYMENT_NOT_FOUND', payments.getPayment({ paymentId }));
    if (found?.payment === undefined) return undefined;
    const { amount, refundedAmount, relatedRefundAmount, currency, decimals, merchant, declineReason } = found.payment;
    const named = { merchant: merchant?.name || '–', money: toMoney(amount, decimals, currency) };
    const path = `/payments/${paymentId}`;
    if (type === 'payment.declined')
      return { facts: { ...named, about: 'payment_declined', reason: declineGroup(declineReason?.code ?? '') }, path };
    if (!among(PAYMENT_TYPES, type)) return undefined;
    const about = PAYMENT_TYPES[type];
    // The returned amount, of a payment that may be larger; a refund under an id of its own is the whole payment.
    const back = BigInt(refundedAmount || '0') + BigInt(relatedRefundAmount || '0');
    const money = about === 'refund' && back > 0n ? toMoney(String(back), decimals, currency) : named.money;
    return { facts: { ...named, about, money }, path };
  };

  const ofChallenge = async (challengeId: string): Promise<Told | undefined> => {
    const found = await undefinedOn('CHALLENGE_NOT_FOUND', challenges.getChallenge({ challengeId }));
    const challenge = found?.challenge;
    if (challenge === undefined || !challenge.decisionAvailable) return undefined;
    const { amount, currency, decimals, merchant, expiresAt } = challenge;
    const money = amount === '' || currency === '' ? undefined : toMoney(amount, decimals, currency);
    return {
      facts: { about: 'challenge', merchant: merchant?.displayName || '–', money },
      path: `?approve=${challengeId}`,
      ...(expiresAt === undefined ? {} : { expiresAt: new Date(Number(expiresAt.seconds) * 1000) }),
    };
  };

  const ofCard = async (event: string, cardId: string): Promise<Told | undefined> => {
    const found = await undefinedOn('CARD_NOT_FOUND', cards.getCard({ cardId }));
    if (found?.card === undefined || !CARD_EVENTS.has(event)) return undefined;
    return { facts: { about: 'card', event: event as CardEvent, last4: found.card.last4 }, path: `/cards/${cardId}` };
  };

  return async ({ type, subject, data }) => {
    const { paymentId, cardId, amount = '', currency = '', decimals = 0, change } = dataSchema.parse(JSON.parse(data));
    const id = subject.slice(subject.indexOf('/') + 1);
    if (type.startsWith('payment.')) return ofPayment(type, paymentId ?? id);
    if (type.startsWith('challenge.')) return ofChallenge(id);
    if (type.startsWith('card.')) return ofCard(type.slice('card.'.length), cardId ?? id);
    if (among(MOVEMENT_TYPES, type))
      return { facts: { about: MOVEMENT_TYPES[type], money: toMoney(amount, decimals, currency) }, path: '/account' };
    if (among(SECURITY_TYPES, type)) return { facts: { about: SECURITY_TYPES[type] }, path: '/security' };
    if (type === 'return.requested') return { facts: { about: 'return_requested' }, path: '/account' };
    if (type === 'safe.changed') return { facts: { about: change === 'TOKEN_FROZEN' ? 'token_frozen' : 'safe_changed' }, path: '/account' };
    return type === 'recipient.requested' ? { facts: { about: 'recipient_requested' }, path: '/account' } : undefined;
  };
};
