import type { RenewCardRequest } from '@florin/proto/card/v1/card_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { userOrServiceMethod } from '@florin/rpc/server';
import { originOf } from '../life/change-card.ts';
import { parseChangeRequest } from './change-request.ts';
import type { Dependencies } from './dependencies.ts';
import { toWireCard } from './to-wire.ts';

/**
 * Extends the expiry of a live card by one term and keeps its PAN.
 * @throws CodedError CARD_NOT_FOUND, CARD_STATE_CONFLICT, CARD_ISSUING_FAILED, IDEMPOTENCY_KEY_REUSED, VALIDATION_FAILED
 */
export const renewCard = ({ renewals, runtime }: Dependencies) =>
  userOrServiceMethod(CARD_SCOPES.writeCards, async (request: RenewCardRequest, { caller, logger }) => {
    const change = parseChangeRequest(request, caller);
    const card = await renewals.renew(change.cardId, originOf(change, 'renew'), logger);
    return { card: toWireCard(card, runtime.now(), caller) };
  });
