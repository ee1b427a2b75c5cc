import type { CreateVirtualCardRequest } from '@florin/proto/card/v1/card_service';
import { requireRecentSignIn } from '@florin/rpc/auth';
import { requireFields } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import { hashInput } from '@florin/rpc/hashing';
import { phoneProblem } from '@florin/rpc/phone';
import { userMethod } from '@florin/rpc/server';
import { type Cardholder, mayOrderCard } from '../domain/cardholder.ts';
import { readCardName } from './card-name.ts';
import type { Dependencies } from './dependencies.ts';
import { toWireCard } from './to-wire.ts';

/**
 * Issues a virtual card; the first card creates the cardholder. A further one requires a recent sign-in; each is told to the user.
 * Requests are rejected before the request id is bound to its content, so the same id can be retried with what was missing.
 */
export const createVirtualCard = (dependencies: Dependencies) => {
  const { accounts, cardholders, cards, clocks, issuing, notices, phoneVerification, reservations, runtime, sandbox } = dependencies;
  const createCardholder = async (userId: string, phone: string): Promise<Cardholder> => {
    if (phone === '') throw new CodedError('PHONE_REQUIRED');
    return cardholders.findOrCreate(userId, phone);
  };

  return userMethod(async (request: CreateVirtualCardRequest, call) => {
    const { requestId, phone } = request;
    requireFields({ phone: phone === '' ? undefined : phoneProblem(phone) });
    const content = { cardName: readCardName('card_name', request.cardName), ...(phone === '' ? {} : { phone }) };
    const { userId } = call.caller;
    const key = `${userId}:create-card:${requestId}`;
    const inputHash = hashInput(content);

    // A repeat of a request that succeeded requires neither an active account nor room for another card.
    const earlier = await reservations.find({ key, inputHash });
    const existing = earlier === undefined ? undefined : await cards.find(earlier.resourceId);
    if (existing !== undefined) return { card: toWireCard(existing, runtime.now(), call.caller) };

    const accountId = await accounts.findActiveAccount(call);
    if (accountId === undefined) throw new CodedError('ACCOUNT_NOT_ACTIVE');
    const known = await cardholders.find(userId);
    if (known !== undefined) requireRecentSignIn(call.caller, runtime.now());
    const cardholder = known ?? (await createCardholder(userId, phone));
    if (!mayOrderCard(cardholder, phoneVerification)) throw new CodedError('PHONE_NOT_VERIFIED');

    // Only a request that can succeed binds its id: requests beyond the limit leave nothing behind.
    if (earlier === undefined) {
      await issuing.checkRoom(cardholder);
      await notices.tell({ id: requestId, kind: 'CARD_ORDERED' }, call);
    }
    const { resourceId: cardId } = await reservations.reserve({ key, inputHash, newId: runtime.newId(), now: runtime.now() });
    const card = await issuing.issue({ cardId, userId, accountId, name: content.cardName }, call.logger);
    if (sandbox) await clocks.join(card);
    return { card: toWireCard(card, runtime.now(), call.caller) };
  });
};
