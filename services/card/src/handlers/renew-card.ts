import type { RenewCardRequest } from '@florin/proto/card/v1/card_service';
import { userOrServiceMethod } from '@florin/rpc/server';
import { originOf } from '../life/change-card.ts';
import { toChangeRequest } from './change-request.ts';
import type { Dependencies } from './dependencies.ts';
import { toWireCard } from './to-wire.ts';

/** Extends the expiry of a live card by one term and keeps its PAN. */
export const renewCard = ({ renewals, runtime }: Dependencies) =>
  userOrServiceMethod(async (request: RenewCardRequest, { caller, logger }) => {
    const change = toChangeRequest(request, caller);
    const card = await renewals.renew(change.cardId, originOf(change, 'renew'), logger);
    return { card: toWireCard(card, runtime.now(), caller) };
  });
