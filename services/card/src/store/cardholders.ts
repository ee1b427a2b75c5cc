import type { FieldCipher } from '@florin/data/encryption';
import { isDuplicateKey } from '@florin/data/store';
import type { Model } from 'mongoose';
import type { CardFace } from '../domain/card.ts';
import { type Attempt, type Cardholder, MAX_LIVE_CARDS, MAX_LIVE_CARDS_WITH_REPLACEMENTS, type Slot } from '../domain/cardholder.ts';
import type { CardholderDocument } from './cardholder-model.ts';
import { outboxEvent, type Stamp } from './outbox-event.ts';

const slotOf = (document: CardholderDocument | null, cardId: string): Slot | undefined =>
  document?.slots.find((slot) => slot.cardId === cardId);

/** Replacements are not counted: a slot without `replacementFor` is an ordinary card's. */
const hasRoomForOrdinaryCard = {
  $expr: {
    $lt: [
      { $size: { $filter: { input: '$slots', as: 'slot', cond: { $eq: [{ $type: '$$slot.replacementFor' }, 'missing'] } } } },
      MAX_LIVE_CARDS,
    ],
  },
};

/** Cardholders. Each mutation is one conditional write to one document. Phone numbers are encrypted; a keyed hash compares them. */
export const createCardholderStore = (model: Model<CardholderDocument>, stamp: Stamp, cipher: FieldCipher) => {
  const placeOf = (userId: string) => ({ collection: 'cardholders', id: userId, field: 'phone' });
  const sealed = (userId: string, phone: string) => ({
    phone: cipher.encrypt(phone, placeOf(userId)),
    phoneHash: cipher.hash('phone', phone),
  });
  const toCardholder = ({ _id, cardholderId, phone, phoneVerified, slots }: CardholderDocument): Cardholder => ({
    userId: _id,
    cardholderId,
    phone: cipher.decrypt(phone, placeOf(_id)),
    phoneVerified,
    slots,
  });
  const find = async (userId: string): Promise<Cardholder | undefined> => {
    const found = await model.findById(userId).lean();
    return found === null ? undefined : toCardholder(found);
  };

  return {
    find,

    /** Creates the user's cardholder with an unverified number, or returns the existing one unchanged. */
    findOrCreate: async (userId: string, phone: string): Promise<Cardholder> => {
      const now = stamp.now();
      const cardholderId = stamp.newId();
      try {
        await model.create({
          _id: userId,
          cardholderId,
          ...sealed(userId, phone),
          phoneVerified: false,
          outbox: [outboxEvent(stamp, { type: 'cardholder.created', payload: { cardholderId, userId } })],
          createdAt: now,
          updatedAt: now,
        });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      const cardholder = await find(userId);
      if (cardholder === undefined) throw new Error('unreachable: cardholders are never deleted');
      return cardholder;
    },

    /**
     * Sets the phone number. The current number keeps its verification when it is set again unverified, and gains it when verified.
     * Writes nothing and publishes no event when nothing changes.
     */
    setPhone: async ({ userId, cardholderId }: Cardholder, phone: string, verified: boolean): Promise<void> => {
      const now = stamp.now();
      const changed = sealed(userId, phone);
      await model.updateOne(
        { _id: userId, $or: [{ phoneHash: { $ne: changed.phoneHash } }, ...(verified ? [{ phoneVerified: false }] : [])] },
        {
          $set: { ...changed, phoneVerified: verified, updatedAt: now },
          $push: { outbox: outboxEvent(stamp, { type: 'cardholder.phone_changed', payload: { cardholderId, phoneVerified: verified } }) },
        },
      );
    },

    /** Reserves a slot for a card that has none. This write alone enforces the limit. */
    takeSlot: async (userId: string, slot: Slot): Promise<boolean> => {
      const { modifiedCount } = await model.updateOne(
        {
          _id: userId,
          'slots.cardId': { $ne: slot.cardId },
          [`slots.${MAX_LIVE_CARDS_WITH_REPLACEMENTS - 1}`]: { $exists: false },
          ...(slot.replacementFor === undefined ? hasRoomForOrdinaryCard : {}),
        },
        { $push: { slots: slot }, $set: { updatedAt: slot.requestedAt } },
      );
      return modifiedCount === 1;
    },

    /**
     * Makes `attempt` the latest attempt on a card that is being issued; earlier attempts can no longer release the slot.
     * @param after take over only if this attempt is still the latest, for callers that compete
     * @returns the slot, or undefined if the card has no slot that is still issuing
     */
    takeOver: async (userId: string, cardId: string, attempt: Attempt, after?: Attempt): Promise<Slot | undefined> => {
      const latest = after === undefined ? { $exists: true } : after.id;
      const document = await model
        .findOneAndUpdate(
          { _id: userId, slots: { $elemMatch: { cardId, 'issuing.attempt.id': latest } } },
          { $set: { 'slots.$.issuing.attempt': attempt } },
          { returnDocument: 'after' },
        )
        .lean();
      return slotOf(document, cardId);
    },

    /**
     * Records the processor's confirmation; the first one wins. From here on the slot cannot be released.
     * @returns the slot, or undefined if it was released before
     */
    confirm: async (userId: string, cardId: string, face: CardFace): Promise<Slot | undefined> => {
      await model.updateOne(
        { _id: userId, slots: { $elemMatch: { cardId, 'issuing.attempt.id': { $exists: true }, 'issuing.issued': { $exists: false } } } },
        { $set: { 'slots.$.issuing.issued': { ...face, at: stamp.now() } } },
      );
      return slotOf(await model.findById(userId).lean(), cardId);
    },

    /** Marks the slot of a written card as done. */
    finish: async (userId: string, cardId: string): Promise<void> => {
      await model.updateOne({ _id: userId, 'slots.cardId': cardId }, { $unset: { 'slots.$.issuing': '' } });
    },

    /** Releases a slot after a refusal, unless a later attempt has begun or another one was confirmed. */
    releaseSlot: async (userId: string, cardId: string, attempt: Attempt): Promise<void> => {
      await model.updateOne(
        { _id: userId, slots: { $elemMatch: { cardId, 'issuing.attempt.id': attempt.id, 'issuing.issued': { $exists: false } } } },
        { $pull: { slots: { cardId } } },
      );
    },

    /** Releases the slots of cards that will never be live again. */
    releaseSlots: async (userId: string, cardIds: readonly string[]): Promise<void> => {
      await model.updateOne({ _id: userId }, { $pull: { slots: { cardId: { $in: cardIds } } } });
    },

    /** Slots whose latest attempt began before `before`, oldest first. */
    findWaiting: async (before: Date, limit: number): Promise<{ userId: string; slot: Slot; attempt: Attempt }[]> => {
      const documents = await model
        .find({ 'slots.issuing.attempt.at': { $lt: before } }, { slots: 1 })
        .sort({ 'slots.issuing.attempt.at': 1 })
        .limit(limit)
        .lean();
      return documents.flatMap(({ _id, slots }) =>
        slots.flatMap((slot) =>
          slot.issuing !== undefined && slot.issuing.attempt.at < before ? [{ userId: _id, slot, attempt: slot.issuing.attempt }] : [],
        ),
      );
    },
  };
};

export type CardholderStore = ReturnType<typeof createCardholderStore>;
