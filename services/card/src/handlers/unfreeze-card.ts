import type { UnfreezeCardRequest } from '@florin/proto/card/v1/card_service';
import { requireRecentSignIn } from '@florin/rpc/auth';
import { userOrServiceMethod } from '@florin/rpc/server';
import { planChange } from '../domain/card-life.ts';
import { findChangeable, originOf } from '../life/change-card.ts';
import { toChangeRequest } from './change-request.ts';
import type { Dependencies } from './dependencies.ts';
import { toWireCard } from './to-wire.ts';

/** Lifts the caller's freeze. A cardholder must have signed in recently, and is told. */
export const unfreezeCard = ({ cards, changes, notices, runtime }: Dependencies) =>
  userOrServiceMethod(async (request: UnfreezeCardRequest, call) => {
    const { caller } = call;
    const change = toChangeRequest(request, caller);
    const origin = originOf(change, 'unfreeze');
    if (caller.kind !== 'service') {
      const frozen = await findChangeable(cards, change.cardId, origin);
      if (planChange(frozen, { action: 'unfreeze' }, origin, runtime.now()) !== undefined) {
        requireRecentSignIn(caller, runtime.now());
        await notices.tell({ id: change.requestId, kind: 'CARD_UNFREEZING', last4: frozen.last4 }, call);
      }
    }
    const card = await changes.change(change.cardId, { action: 'unfreeze' }, origin);
    return { card: toWireCard(card, runtime.now(), caller) };
  });
