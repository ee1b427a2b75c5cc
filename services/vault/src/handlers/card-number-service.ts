import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type CardNumberFaceSchema,
  CardNumberService,
  type FindCardRequest,
  type GetKeyUsageRequest,
  type IssueCardNumberRequest,
  type RenewCardNumberRequest,
  type SealCardNumberRequest,
  type UnblockPinRequest,
} from '@florin/proto/vault/v1/card_number_service';
import { CodedError } from '@florin/rpc/errors';
import { implement, type ServiceImplementation, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { type CardFace, compareExpiry } from '../domain/card.ts';
import { PAN_SHAPE } from '../domain/pan.ts';
import { cardDetails } from '../reveals/card-secrets.ts';
import { openMessage } from '../reveals/open-message.ts';
import { accessOutboxEvent } from '../store/outbox-event.ts';
import { checkCard } from './check-card.ts';
import type { Dependencies } from './dependencies.ts';

const toFace = ({ last4, expMonth, expYear, network }: CardFace): MessageInitShape<typeof CardNumberFaceSchema> => ({
  last4,
  expMonth,
  expYear,
  network,
});

/** Creates the number of a card. */
const issueCardNumber = ({ numbers }: Dependencies) =>
  serviceMethod(async (request: IssueCardNumberRequest) => ({
    face: toFace(await numbers.issue(request)),
  }));

/** Gives a card a later expiry. Of two concurrent renewals the later expiry stands. */
const renewCardNumber = ({ cards }: Dependencies) =>
  serviceMethod(async (request: RenewCardNumberRequest) => {
    const { cardId, expMonth, expYear } = request;
    const next = { expMonth, expYear };
    for (;;) {
      const card = await cards.find(cardId);
      if (card === undefined) throw new CodedError('CARD_NOT_FOUND');
      const order = compareExpiry(next, card);
      if (order < 0) throw new CodedError('CARD_STATE_CONFLICT', { message: 'the card has a later expiry' });
      if (order === 0 || (await cards.setExpiry(cardId, card, next))) return { face: toFace({ ...card, ...next }) };
    }
  });

/** Encrypts a card's data to the processor's key. A repeat encrypts it again and leaves another record. */
const sealCardNumber = ({ cards, accesses, dataKeys, keys, processorKey, runtime }: Dependencies) =>
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

const messageSchema = z.object({ pan: z.string().regex(PAN_SHAPE) });

/** Finds the card of a number. */
const findCard = ({ claims, keys }: Dependencies) =>
  serviceMethod(async ({ jwe }: FindCardRequest) => {
    const { pan } = openMessage(messageSchema, await keys.exchange.open(jwe));
    const cardId = await claims.findCard(keys.hashPan(pan));
    if (cardId === undefined) throw new CodedError('CARD_NOT_FOUND');
    return { cardId };
  });

/** Resets the wrong tries of a card's PIN. */
const unblockPin = ({ cards, pins }: Dependencies) =>
  serviceMethod(async ({ cardId }: UnblockPinRequest) => {
    if (await pins.unblock(cardId)) return {};
    throw new CodedError((await cards.find(cardId)) === undefined ? 'CARD_NOT_FOUND' : 'PIN_NOT_SET');
  });

/** Counts the secrets under each key-encryption key, also under one that is no longer configured. */
const getKeyUsage = ({ cards, vaultKeys, kms }: Dependencies) =>
  serviceMethod(async (_request: GetKeyUsageRequest) => {
    const cardsByKey = await cards.countByKey();
    const stored = await vaultKeys.list();
    const keyIds = new Set([...kms.keyIds, ...cardsByKey.keys(), ...stored.map(({ wrapped }) => wrapped.keyId)]);
    return {
      keys: [...keyIds].map((keyId) => ({
        keyId,
        current: keyId === kms.currentKeyId,
        cards: BigInt(cardsByKey.get(keyId) ?? 0),
        vaultKeys: stored.filter(({ wrapped }) => wrapped.keyId === keyId).length,
      })),
    };
  });

/** Implementation of the contract `CardNumberService`. */
export const cardNumberService = (dependencies: Dependencies): ServiceImplementation =>
  implement(CardNumberService, {
    issueCardNumber: issueCardNumber(dependencies),
    renewCardNumber: renewCardNumber(dependencies),
    sealCardNumber: sealCardNumber(dependencies),
    findCard: findCard(dependencies),
    checkCard: checkCard(dependencies),
    unblockPin: unblockPin(dependencies),
    getKeyUsage: getKeyUsage(dependencies),
  });
