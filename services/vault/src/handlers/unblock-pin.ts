import type { UnblockPinRequest } from '@florin/proto/vault/v1/card_number_service';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';

/** Resets the wrong tries of a card's PIN. */
export const unblockPin = ({ cards, pins }: Dependencies) =>
  serviceMethod(async ({ cardId }: UnblockPinRequest) => {
    if (await pins.unblock(cardId)) return {};
    throw new CodedError((await cards.find(cardId)) === undefined ? 'CARD_NOT_FOUND' : 'PIN_NOT_SET');
  });
