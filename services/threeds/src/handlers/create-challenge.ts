import type { CreateChallengeRequest } from '@florin/proto/threeds/v1/challenge_service';
import { THREEDS_SCOPES } from '@florin/proto/threeds/v1/scopes';
import { CodedError } from '@florin/rpc/errors';
import { hashInput } from '@florin/rpc/hashing';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { exactAt } from './load-challenge.ts';
import { createChallengeSchema } from './requests.ts';
import { toWireChallenge } from './to-wire.ts';

/**
 * Raises a challenge. The reference is bound to its content and to the challenge's id first: a repeat after a kill, or a twin at
 * the same time, works on the same id, and the insert under that `_id` happens once. A call that is refused (card unknown, account
 * not active) may be repeated later with the same content; with other content it needs another reference.
 * @throws CodedError CARD_NOT_FOUND, CARD_NOT_ACTIVE, ACCOUNT_NOT_ACTIVE, IDEMPOTENCY_KEY_REUSED, VALIDATION_FAILED
 */
export const createChallenge = ({ runtime, challenges, reservations, cards, accounts }: Dependencies) =>
  serviceMethod(THREEDS_SCOPES.writeChallenges, async (request: CreateChallengeRequest, call) => {
    const { reference, expiresInSeconds, ...payment } = parseRequest(createChallengeSchema, request);
    const callerName = call.caller.name;
    const { resourceId: id, repeated } = await reservations.reserve({
      key: JSON.stringify([callerName, reference]),
      inputHash: hashInput({ ...payment, expiresInSeconds }),
      newId: runtime.newId(),
      now: runtime.now(),
    });
    const existing = repeated ? await challenges.find(id) : undefined;
    if (existing !== undefined) return { challenge: toWireChallenge(await exactAt(challenges, existing, runtime.now())) };

    const card = await cards.get(payment.cardId, call);
    if (!card.active) throw new CodedError('CARD_NOT_ACTIVE');
    const account = await accounts.find(card.accountId, call);
    if (account === undefined || !account.active) throw new CodedError('ACCOUNT_NOT_ACTIVE');
    // Whoever signs must be the one who pays.
    if (account.userId !== card.userId) throw new Error('card and account belong to different users');

    const createdAt = runtime.now();
    const challenge = await challenges.insert({
      ...payment,
      id,
      reference,
      callerName,
      userId: card.userId,
      accountId: card.accountId,
      last4: card.last4,
      chainId: account.chainId,
      ...(account.safeAddress === undefined ? {} : { safeAddress: account.safeAddress }),
      status: 'pending',
      createdAt,
      expiresAt: new Date(createdAt.getTime() + expiresInSeconds * 1000),
      issued: { approve: [], decline: [] },
      badSignatures: 0,
    });
    return { challenge: toWireChallenge(await exactAt(challenges, challenge, runtime.now())) };
  });
