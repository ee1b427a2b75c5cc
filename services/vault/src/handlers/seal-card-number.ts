import type { SealCardNumberRequest } from '@florin/proto/vault/v1/card_number_service';
import { VAULT_SCOPES } from '@florin/proto/vault/v1/scopes';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { cardDetails } from '../reveals/card-secrets.ts';
import { accessOutboxEvent } from '../store/outbox-event.ts';
import type { Dependencies } from './dependencies.ts';

const requestSchema = z.object({ cardId: uuidSchema });

/**
 * Encrypts a card's data to the processor's key. A repeat encrypts it again and leaves another record.
 * @throws CodedError CARD_NOT_FOUND, PROCESSOR_KEY_NOT_CONFIGURED, VALIDATION_FAILED
 */
export const sealCardNumber = ({ cards, accesses, dataKeys, keys, processorKey, runtime }: Dependencies) =>
  serviceMethod(VAULT_SCOPES.sealCardNumbers, async (request: SealCardNumberRequest) => {
    const { cardId } = parseRequest(requestSchema, request);
    if (processorKey === undefined) throw new CodedError('PROCESSOR_KEY_NOT_CONFIGURED');
    const card = await cards.find(cardId);
    if (card === undefined) throw new CodedError('CARD_NOT_FOUND');
    const jwe = await processorKey.seal(await cardDetails({ dataKeys, keys }, card));
    const { userId, last4 } = card;
    const { thumbprint } = processorKey;
    const access = { id: runtime.newId(), cardId, userId, last4, action: 'seal' as const, thumbprint, at: runtime.now() };
    await cards.addEvent(cardId, accessOutboxEvent(access));
    await accesses.insert(access);
    return { jwe };
  });
