import type { CancelCardRequest } from '@florin/proto/card/v1/card_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { userOrServiceMethod } from '@florin/rpc/server';
import { originOf } from '../life/change-card.ts';
import { parseChangeRequest } from './change-request.ts';
import type { Dependencies } from './dependencies.ts';
import { toWireCard } from './to-wire.ts';

/**
 * Ends a live card as cancelled.
 * @throws CodedError CARD_NOT_FOUND, CARD_STATE_CONFLICT, IDEMPOTENCY_KEY_REUSED, VALIDATION_FAILED
 */
export const cancelCard = ({ changes, runtime }: Dependencies) =>
  userOrServiceMethod(CARD_SCOPES.writeCards, async (request: CancelCardRequest, { caller }) => {
    const change = parseChangeRequest(request, caller);
    const card = await changes.change(change.cardId, { action: 'cancel' }, originOf(change, 'cancel'));
    return { card: toWireCard(card, runtime.now(), caller) };
  });
