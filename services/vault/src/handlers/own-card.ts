import { CodedError } from '@florin/rpc/errors';
import type { VaultCard } from '../domain/card.ts';
import type { Dependencies } from './dependencies.ts';

type Call = { caller: { userId: string }; token: string; requestId: string };

/**
 * The caller's card, if its data may be shown now.
 * @throws CodedError CARD_NOT_FOUND (also for another user's), CARD_NOT_REVEALABLE, UNAUTHORIZED, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
 */
export const requireRevealable = async ({ cards, cardService }: Dependencies, cardId: string, call: Call): Promise<VaultCard> => {
  const revealable = cardService.isRevealable(cardId, call);
  // Both are asked at once; a card that is not the caller's has no use for the second answer.
  revealable.catch(() => undefined);
  const card = await cards.find(cardId);
  if (card === undefined || card.userId !== call.caller.userId) throw new CodedError('CARD_NOT_FOUND');
  if (!(await revealable)) throw new CodedError('CARD_NOT_REVEALABLE');
  return card;
};
