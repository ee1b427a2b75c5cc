import type { SealCardNumberRequest } from '@florin/proto/vault/v1/card_number_service';
import { CodedError } from '@florin/rpc/errors';
import { serviceMethod } from '@florin/rpc/server';
import { cardDetails } from '../reveals/card-secrets.ts';
import { accessOutboxEvent } from '../store/outbox-event.ts';
import type { Dependencies } from './dependencies.ts';

/** Encrypts a card's data to the processor's key. A repeat encrypts it again and leaves another record. */
export const sealCardNumber = ({ cards, accesses, dataKeys, keys, processorKey, runtime }: Dependencies) =>
  serviceMethod(async ({ cardId }: SealCardNumberRequest) => {
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
