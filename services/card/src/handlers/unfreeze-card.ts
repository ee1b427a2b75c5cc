import type { UnfreezeCardRequest } from '@florin/proto/card/v1/card_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { userOrServiceMethod } from '@florin/rpc/server';
import { originOf } from '../life/change-card.ts';
import { parseChangeRequest } from './change-request.ts';
import type { Dependencies } from './dependencies.ts';
import { toWireCard } from './to-wire.ts';

/**
 * Lifts the caller's freeze.
 * @throws CodedError CARD_NOT_FOUND, CARD_STATE_CONFLICT, FROZEN_BY_ISSUER, IDEMPOTENCY_KEY_REUSED, VALIDATION_FAILED
 */
export const unfreezeCard = ({ changes, runtime }: Dependencies) =>
  userOrServiceMethod(CARD_SCOPES.writeCards, async (request: UnfreezeCardRequest, { caller }) => {
    const change = parseChangeRequest(request, caller);
    const card = await changes.change(change.cardId, { action: 'unfreeze' }, originOf(change, 'unfreeze'));
    return { card: toWireCard(card, runtime.now(), caller) };
  });
