import type { CreateChallengeRequest } from '@florin/proto/threeds/v1/challenge_service';
import { requireFields } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import { hashInput } from '@florin/rpc/hashing';
import { minorUnitDigits } from '@florin/rpc/money';
import { serviceMethod } from '@florin/rpc/server';
import type { Merchant } from '../domain/merchant.ts';
import { readableName } from '../domain/readable-name.ts';
import type { Dependencies } from './dependencies.ts';
import { toMerchant } from './from-wire.ts';
import { toWireChallenge } from './to-wire.ts';

const DEFAULT_LIFETIME_SECONDS = 300;

/** While the cardholder waits at the merchant. */
const MAX_WAITING_SECONDS = 900;

/** The idempotency key of a challenge: references are unique within the calling service. */
export const referenceKey = (callerName: string, reference: string): string => JSON.stringify([callerName, reference]);

const DECIMALS = 'must be the number of digits of the minor unit of the currency (ISO 4217)';

/** The merchant as the cardholder reads and signs it, in the app and in the wallet. */
const toReadable = ({ displayName, id, ...merchant }: Merchant): Merchant => {
  const readable = (text: string | undefined) => (text === undefined ? undefined : readableName(text));
  const [shownName, shownId] = [readable(displayName), readable(id)];
  return {
    ...merchant,
    ...(shownName === undefined ? {} : { displayName: shownName }),
    ...(shownId === undefined ? {} : { id: shownId }),
  };
};

/** The payment that a request describes, if any, with its defaults. */
const toPayment = (request: CreateChallengeRequest) => {
  const { cardId, amount, currency, decimals, merchant, expiresInSeconds, dsTransactionId, requestorInitiated } = request;
  requireFields({
    currency: (amount === '') === (currency === '') ? undefined : 'must be given with an amount, and not without one',
    decimals: (minorUnitDigits(currency) ?? 0) === decimals ? undefined : DECIMALS,
    expires_in_seconds:
      requestorInitiated || expiresInSeconds <= MAX_WAITING_SECONDS
        ? undefined
        : `must be at most ${MAX_WAITING_SECONDS} while the cardholder waits`,
  });
  return {
    payment: {
      ...{ cardId, amount, currency, decimals, merchant: merchant === undefined ? {} : toMerchant(merchant) },
      ...(dsTransactionId === '' ? {} : { dsTransactionId }),
      ...(requestorInitiated ? { requestorInitiated } : {}),
    },
    expiresInSeconds: expiresInSeconds || DEFAULT_LIFETIME_SECONDS,
  };
};

/**
 * Raises a challenge. The reference is bound to its content and to the challenge's id first, so a repeat after a kill and a concurrent
 * twin use the same id, and the insert under that `_id` happens once. A rejected request (card not found, account not active) may be
 * repeated later with the same content; other content requires another reference.
 */
export const createChallenge = ({ runtime, challenges, reservations, cards, accounts }: Dependencies) =>
  serviceMethod(async (request: CreateChallengeRequest, call) => {
    const { reference, confirmsLater } = request;
    const { payment, expiresInSeconds } = toPayment(request);
    const callerName = call.caller.name;
    const { resourceId: id, repeated } = await reservations.reserve({
      key: referenceKey(callerName, reference),
      inputHash: hashInput({ ...payment, expiresInSeconds, ...(confirmsLater ? { confirmsLater } : {}) }),
      newId: runtime.newId(),
      now: runtime.now(),
    });
    const existing = repeated ? await challenges.find(id) : undefined;
    if (existing !== undefined) return { challenge: toWireChallenge(await challenges.exactAt(existing, runtime.now())) };

    const card = await cards.find(payment.cardId);
    if (card === undefined) throw new CodedError('CARD_NOT_FOUND');
    if (!card.active) throw new CodedError('CARD_NOT_ACTIVE');
    const account = await accounts.find(card.accountId);
    if (account === undefined || !account.active) throw new CodedError('ACCOUNT_NOT_ACTIVE');
    // The signer must be the payer.
    if (account.userId !== card.userId) throw new Error('card and account belong to different users');

    const createdAt = runtime.now();
    const challenge = await challenges.insert({
      ...payment,
      merchant: toReadable(payment.merchant),
      id,
      reference,
      callerName,
      userId: card.userId,
      accountId: card.accountId,
      last4: card.last4,
      chainId: account.chainId,
      ...(account.safeAddress === undefined ? {} : { safeAddress: account.safeAddress }),
      ...(confirmsLater ? { confirmsLater } : {}),
      status: 'pending',
      createdAt,
      expiresAt: new Date(createdAt.getTime() + expiresInSeconds * 1000),
      issued: { approve: [], decline: [] },
      badSignatures: 0,
    });
    return { challenge: toWireChallenge(await challenges.exactAt(challenge, runtime.now())) };
  });
