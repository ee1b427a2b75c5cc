import type { CancelCardRequest } from '@florin/proto/card/v1/card_service';
import { userOrServiceMethod } from '@florin/rpc/server';
import { originOf } from '../life/change-card.ts';
import { toChangeRequest } from './change-request.ts';
import type { Dependencies } from './dependencies.ts';
import { toWireCard } from './to-wire.ts';

/** Ends a live card as cancelled. */
export const cancelCard = ({ changes, runtime }: Dependencies) =>
  userOrServiceMethod(async (request: CancelCardRequest, { caller }) => {
    const change = toChangeRequest(request, caller);
    const card = await changes.change(change.cardId, { action: 'cancel' }, originOf(change, 'cancel'));
    return { card: toWireCard(card, runtime.now(), caller) };
  });
