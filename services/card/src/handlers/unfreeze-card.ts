import type { UnfreezeCardRequest } from '@florin/proto/card/v1/card_service';
import { requireRecentSignIn } from '@florin/rpc/auth';
import { userOrServiceMethod } from '@florin/rpc/server';
import type { Card } from '../domain/card.ts';
import { planChange } from '../domain/card-life.ts';
import { UNFREEZING } from '../domain/change-facts.ts';
import { findChangeable, originOf } from '../life/change-card.ts';
import { toChangeRequest } from './change-request.ts';
import type { Dependencies } from './dependencies.ts';
import { toWireCard } from './to-wire.ts';

/** Lifts the caller's freeze. A cardholder must have signed in recently, approves it with a wallet, and is told. */
export const unfreezeCard = ({ approvals, cards, changes, notices, runtime }: Dependencies) =>
  userOrServiceMethod(async (request: UnfreezeCardRequest, call) => {
    const { caller } = call;
    const change = toChangeRequest(request, caller);
    const origin = originOf(change, 'unfreeze');
    const { cardId, requestId } = change;
    const unfreeze = (): Promise<Card> => changes.change(cardId, { action: 'unfreeze' }, origin);
    const find = (): Promise<Card> => findChangeable(cards, cardId, origin);
    const isDue = (card: Card): boolean => planChange(card, { action: 'unfreeze' }, origin, runtime.now()) !== undefined;
    if (caller.kind === 'service') return { card: toWireCard(await unfreeze(), runtime.now(), caller) };

    const frozen = await find();
    const approved = async (): Promise<Card> => {
      requireRecentSignIn(caller, runtime.now());
      const make = async (): Promise<Card> => {
        await notices.tell({ id: requestId, kind: 'CARD_UNFREEZING', last4: frozen.last4 }, call);
        return unfreeze();
      };
      return approvals
        .withApproval(frozen, { ...UNFREEZING, approval: request.approval, use: requestId, make }, call)
        .catch(async (error: unknown) => {
          // A repeat at the same time may have lifted the freeze meanwhile, and with that have used the approval up.
          if (isDue(await find())) throw error;
          return unfreeze();
        });
    };
    const card = isDue(frozen) ? await approved() : await unfreeze();
    return { card: toWireCard(card, runtime.now(), caller) };
  });
