import type { FreezeCardRequest } from '@florin/proto/card/v1/card_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { userOrServiceMethod } from '@florin/rpc/server';
import { originOf } from '../life/change-card.ts';
import { parseChangeRequest } from './change-request.ts';
import type { Dependencies } from './dependencies.ts';
import { toWireCard } from './to-wire.ts';

/**
 * Suspends a live card on behalf of the caller.
 * @throws CodedError CARD_NOT_FOUND, CARD_STATE_CONFLICT, IDEMPOTENCY_KEY_REUSED, VALIDATION_FAILED
 */
export const freezeCard = ({ changes, runtime }: Dependencies) =>
  userOrServiceMethod(CARD_SCOPES.writeCards, async (request: FreezeCardRequest, { caller }) => {
    const change = parseChangeRequest(request, caller);
    const card = await changes.change(change.cardId, { action: 'freeze' }, originOf(change, 'freeze'));
    return { card: toWireCard(card, runtime.now(), caller) };
  });
