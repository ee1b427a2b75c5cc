import { CodedError } from '@florin/kit/errors';
import { userMethod } from '@florin/kit/rpc';
import { CardStatus as Wire } from '@florin/proto/card/v1/card';
import type { ListCardsRequest } from '@florin/proto/card/v1/card_service';
import type { CardStatus } from '../domain/card.ts';
import type { Dependencies } from './dependencies.ts';
import { statusFromWire, toWireCard } from './to-wire.ts';

const parseFilter = (wire: Wire): CardStatus | undefined => {
  if (wire === Wire.UNSPECIFIED) return undefined;
  const status = statusFromWire(wire);
  if (status === undefined) throw new CodedError('VALIDATION_FAILED', { message: 'status: must be a status of cards' });
  return status;
};

/**
 * The caller's cards, newest first.
 * @throws CodedError VALIDATION_FAILED
 */
export const listCards = ({ cards, runtime }: Pick<Dependencies, 'cards' | 'runtime'>) =>
  userMethod(async (request: ListCardsRequest, { caller }) => {
    const now = runtime.now();
    const found = await cards.list(caller.userId, now, parseFilter(request.status));
    return { cards: found.map((card) => toWireCard(card, now)) };
  });
