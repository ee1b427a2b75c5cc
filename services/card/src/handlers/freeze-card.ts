import type { FreezeCardRequest } from '@florin/proto/card/v1/card_service';
import { userOrServiceMethod } from '@florin/rpc/server';
import { originOf } from '../life/change-card.ts';
import { toChangeRequest } from './change-request.ts';
import type { Dependencies } from './dependencies.ts';
import { toWireCard } from './to-wire.ts';

/** Suspends a live card on behalf of the caller. */
export const freezeCard = ({ changes, runtime }: Dependencies) =>
  userOrServiceMethod(async (request: FreezeCardRequest, { caller }) => {
    const change = toChangeRequest(request, caller);
    const card = await changes.change(change.cardId, { action: 'freeze' }, originOf(change, 'freeze'));
    return { card: toWireCard(card, runtime.now(), caller) };
  });
