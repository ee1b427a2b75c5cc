import type { RenameCardRequest } from '@florin/proto/card/v1/card_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { parseRequest, userOrServiceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { cardNameSchema } from '../domain/card-name.ts';
import { originOf } from '../life/change-card.ts';
import { parseChangeRequest } from './change-request.ts';
import type { Dependencies } from './dependencies.ts';
import { toWireCard } from './to-wire.ts';

const requestSchema = z.object({ name: cardNameSchema });

/**
 * Renames a live card.
 * @throws CodedError CARD_NOT_FOUND, CARD_STATE_CONFLICT, IDEMPOTENCY_KEY_REUSED, VALIDATION_FAILED
 */
export const renameCard = ({ changes, runtime }: Dependencies) =>
  userOrServiceMethod(CARD_SCOPES.writeCards, async (request: RenameCardRequest, { caller }) => {
    const change = parseChangeRequest(request, caller);
    const { name } = parseRequest(requestSchema, request);
    const card = await changes.change(change.cardId, { action: 'rename', name }, originOf(change, 'rename', { name }));
    return { card: toWireCard(card, runtime.now(), caller) };
  });
