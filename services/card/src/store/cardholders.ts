import { isDuplicateKey } from '@florin/data/store';
import type { Model } from 'mongoose';
import type { CardFace } from '../domain/card.ts';
import { type Attempt, type Cardholder, MAX_LIVE_CARDS, type Slot } from '../domain/cardholder.ts';
import type { CardholderDocument } from './cardholder-model.ts';
import { outboxEvent, type Stamp } from './outbox-event.ts';

const toCardholder = ({ _id, cardholderId, phone, phoneVerified, slots }: CardholderDocument): Cardholder => ({
  userId: _id,
  cardholderId,
  phone,
  phoneVerified,
  slots,
});

const slotOf = (document: CardholderDocument | null, cardId: string): Slot | undefined =>
  document?.slots.find((slot) => slot.cardId === cardId);

/** Cardholders. Each method that writes is one conditional write to one document. */
export const createCardholderStore = (model: Model<CardholderDocument>, stamp: Stamp) => {
  const find = async (userId: string): Promise<Cardholder | undefined> => {
    const found = await model.findById(userId).lean();
    return found === null ? undefined : toCardholder(found);
  };

  return {
    find,

    /** Makes the user's cardholder with an unproven number, or answers the one that is there, as it is. */
    findOrCreate: async (userId: string, phone: string): Promise<Cardholder> => {
      const now = stamp.now();
      const cardholderId = stamp.newId();
      try {
        await model.create({
          _id: userId,
          cardholderId,
          phone,
          phoneVerified: false,
          outbox: [outboxEvent(stamp, { type: 'cardholder.created', payload: { cardholderId, userId } })],
          createdAt: now,
          updatedAt: now,
        });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      const cardholder = await find(userId);
      if (cardholder === undefined) throw new Error('cardholders are never deleted');
      return cardholder;
    },

    /**
     * Sets the number. A bare number that stands already keeps its proof; a proven one gains it.
     * Nothing is written, and no event told, when nothing changes.
     */
    setPhone: async ({ userId, cardholderId }: Cardholder, phone: string, proven: boolean): Promise<void> => {
      const now = stamp.now();
      await model.updateOne(
        { _id: userId, $or: [{ phone: { $ne: phone } }, ...(proven ? [{ phoneVerified: false }] : [])] },
        {
          $set: { phone, phoneVerified: proven, updatedAt: now },
          $push: { outbox: outboxEvent(stamp, { type: 'cardholder.phone_changed', payload: { cardholderId, phoneVerified: proven } }) },
        },
      );
    },

    /** Takes a slot for a card that has none yet. This write alone decides who is inside the limit. */
    takeSlot: async (userId: string, slot: Slot): Promise<boolean> => {
      const { modifiedCount } = await model.updateOne(
        { _id: userId, 'slots.cardId': { $ne: slot.cardId }, [`slots.${MAX_LIVE_CARDS - 1}`]: { $exists: false } },
        { $push: { slots: slot }, $set: { updatedAt: slot.requestedAt } },
      );
      return modifiedCount === 1;
    },

    /**
     * Makes `attempt` the latest try on a card that is on the way; an earlier one cannot give the slot back from here on.
     * @param after only when this try is the latest so far, for callers that compete
     * @returns the slot, or undefined when there is none that waits
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
     * Writes down the processor's yes; the first one stays. From here on the slot cannot be given back any more.
     * @returns the slot, or undefined when it was given back before, or has left this state
     */
    confirm: async (userId: string, cardId: string, face: CardFace): Promise<Slot | undefined> => {
      await model.updateOne(
        { _id: userId, slots: { $elemMatch: { cardId, 'issuing.attempt.id': { $exists: true }, 'issuing.issued': { $exists: false } } } },
        { $set: { 'slots.$.issuing.issued': { ...face, at: stamp.now() } } },
      );
      return slotOf(await model.findById(userId).lean(), cardId);
    },

    /** Ends the way of a card that stands. */
    finish: async (userId: string, cardId: string): Promise<void> => {
      await model.updateOne({ _id: userId, 'slots.cardId': cardId }, { $unset: { 'slots.$.issuing': '' } });
    },

    /** Gives back a slot after a refusal, unless a later try has begun or another one got a yes. */
    giveBack: async (userId: string, cardId: string, attempt: Attempt): Promise<void> => {
      await model.updateOne(
        { _id: userId, slots: { $elemMatch: { cardId, 'issuing.attempt.id': attempt.id, 'issuing.issued': { $exists: false } } } },
        { $pull: { slots: { cardId } } },
      );
    },

    /** Frees the slots of cards that will never be live again. */
    freeSlots: async (userId: string, cardIds: readonly string[]): Promise<void> => {
      await model.updateOne({ _id: userId }, { $pull: { slots: { cardId: { $in: cardIds } } } });
    },

    /** Slots whose latest try began before `before`, those that wait longest first. */
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
