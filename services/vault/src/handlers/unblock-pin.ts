import type { UnblockPinRequest } from '@florin/proto/vault/v1/card_number_service';
import { VAULT_SCOPES } from '@florin/proto/vault/v1/scopes';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';

const requestSchema = z.object({ cardId: uuidSchema });

/**
 * Resets the wrong tries of a card's PIN.
 * @throws CodedError CARD_NOT_FOUND, PIN_NOT_SET, VALIDATION_FAILED
 */
export const unblockPin = ({ cards, pins }: Dependencies) =>
  serviceMethod(VAULT_SCOPES.writePins, async (request: UnblockPinRequest) => {
    const { cardId } = parseRequest(requestSchema, request);
    if (await pins.unblock(cardId)) return {};
    throw new CodedError((await cards.find(cardId)) === undefined ? 'CARD_NOT_FOUND' : 'PIN_NOT_SET');
  });
