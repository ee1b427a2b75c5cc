import type { RenameCardRequest } from '@florin/proto/card/v1/card_service';
import { userOrServiceMethod } from '@florin/rpc/server';
import { originOf } from '../life/change-card.ts';
import { readCardName } from './card-name.ts';
import { toChangeRequest } from './change-request.ts';
import type { Dependencies } from './dependencies.ts';
import { toWireCard } from './to-wire.ts';

/** Renames a live card. */
export const renameCard = ({ changes, runtime }: Dependencies) =>
  userOrServiceMethod(async (request: RenameCardRequest, { caller }) => {
    const change = toChangeRequest(request, caller);
    const name = readCardName('name', request.name);
    const card = await changes.change(change.cardId, { action: 'rename', name }, originOf(change, 'rename', { name }));
    return { card: toWireCard(card, runtime.now(), caller) };
  });
