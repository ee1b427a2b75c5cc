import type { UnfreezeCardRequest } from '@florin/proto/card/v1/card_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { requireRecentSignIn } from '@florin/rpc/auth';
import { userOrServiceMethod } from '@florin/rpc/server';
import { planChange } from '../domain/card-life.ts';
import { findChangeable, originOf } from '../life/change-card.ts';
import { parseChangeRequest } from './change-request.ts';
import type { Dependencies } from './dependencies.ts';
import { toWireCard } from './to-wire.ts';

/**
 * Lifts the caller's freeze. A cardholder must have signed in recently, and is told.
 * @throws CodedError CARD_NOT_FOUND, REAUTHENTICATION_REQUIRED, CARD_STATE_CONFLICT, FROZEN_BY_ISSUER, IDEMPOTENCY_KEY_REUSED, VALIDATION_FAILED
 */
export const unfreezeCard = ({ cards, changes, notices, runtime }: Dependencies) =>
  userOrServiceMethod(CARD_SCOPES.writeCards, async (request: UnfreezeCardRequest, call) => {
    const { caller } = call;
    const change = parseChangeRequest(request, caller);
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
