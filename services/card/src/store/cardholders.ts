import type { FieldCipher } from '@florin/data/encryption';
import { isDuplicateKey, LATEST } from '@florin/data/store';
import { CodedError } from '@florin/rpc/errors';
import type { Model } from 'mongoose';
import type { CardFace } from '../domain/card.ts';
import {
  type Attempt,
  type Cardholder,
  type Issuing,
  issuingSince,
  MAX_LIVE_CARDS,
  MAX_LIVE_CARDS_WITH_REPLACEMENTS,
  ordersSince,
  type ProvisionalCredit,
  type Slot,
} from '../domain/cardholder.ts';
import type { CardholderDocument } from './cardholder-model.ts';
import { outboxEvent, type Stamp } from './outbox-event.ts';

const slotOf = (document: CardholderDocument | null, cardId: string): Slot | undefined =>
  document?.slots.find((slot) => slot.cardId === cardId);

/** Replacements are not counted: a slot without `replacementFor` is an ordinary card's. */
const hasRoomForOrdinaryCard = {
  $lt: [
    { $size: { $filter: { input: '$slots', as: 'slot', cond: { $eq: [{ $type: '$$slot.replacementFor' }, 'missing'] } } } },
    MAX_LIVE_CARDS,
  ],
};

/** Reports whether a list has less than `most` items since a time. */
const hasRoom = (list: 'orders' | 'provisionalCredits', most: number, since: Date) => ({
  $lt: [{ $size: { $filter: { input: { $ifNull: [`$${list}`, []] }, as: 'item', cond: { $gt: ['$$item.at', since] } } } }, most],
});

/** Cardholders. Each mutation is one conditional write to one document. Phone numbers are encrypted; a keyed hash compares them. */
export const createCardholderStore = (model: Model<CardholderDocument>, stamp: Stamp, cipher: FieldCipher) => {
  const placeOf = (userId: string) => ({ collection: 'cardholders', id: userId, field: 'phone' });
  const sealed = (userId: string, phone: string) => ({
    phone: cipher.encrypt(phone, placeOf(userId)),
    phoneHash: cipher.hash('phone', phone),
  });
  const toCardholder = ({ _id, cardholderId, phone = '', phoneVerified, slots, orders = [] }: CardholderDocument): Cardholder => ({
    userId: _id,
    cardholderId,
    phone: cipher.decrypt(phone, placeOf(_id)),
    phoneVerified,
    slots,
    orders,
  });
  const find = async (userId: string): Promise<Cardholder | undefined> => {
    const found = await model.findById(userId).lean();
    return found === null || found.erasedAt !== undefined ? undefined : toCardholder(found);
  };

  return {
    /** The user's cardholder; undefined when there is none, and for an erased user. */
    find,

    /** Erases the user's phone number, and keeps cards from being ordered from here on, also for a user without a cardholder. */
    erase: async (userId: string): Promise<void> => {
      const now = stamp.now();
      await model.updateOne(
        { _id: userId },
        {
          $set: { erasedAt: now, updatedAt: now, phoneVerified: false },
          $unset: { phone: 1, phoneHash: 1, orders: 1, provisionalCredits: 1 },
          $setOnInsert: { cardholderId: stamp.newId(), slots: [], outbox: [], createdAt: now },
        },
        { upsert: true },
      );
      await model.updateOne({ _id: userId }, { $pull: { slots: { issuing: { $exists: false } } } });
    },

    /** True if the user is erased. Read as LATEST: what is kept of an erased person would stay. */
    isErased: async (userId: string): Promise<boolean> =>
      (await model.exists({ _id: userId, erasedAt: { $exists: true } }).setOptions(LATEST)) !== null,

    /** True if a card of the user is being issued. */
    isIssuing: async (userId: string): Promise<boolean> =>
      (await model.exists({ _id: userId, 'slots.issuing.dueAt': { $exists: true } })) !== null,

    /**
     * Creates the user's cardholder with an unverified number, or returns the existing one unchanged.
     * @throws CodedError ACCOUNT_NOT_ACTIVE when the user is erased
     */
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
      if (cardholder === undefined) throw new CodedError('ACCOUNT_NOT_ACTIVE');
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
        { _id: userId, erasedAt: null, $or: [{ phoneHash: { $ne: changed.phoneHash } }, ...(verified ? [{ phoneVerified: false }] : [])] },
        {
          $set: { ...changed, phoneVerified: verified, updatedAt: now },
          $push: {
            outbox: outboxEvent(stamp, { type: 'cardholder.phone_changed', payload: { cardholderId, userId, phoneVerified: verified } }),
          },
        },
      );
    },

    /**
     * Reserves a slot for a card that has none. This write alone enforces the limit of live cards and that of orders.
     * @param ordersPerDay most orders within 24 hours
     */
    takeSlot: async (userId: string, slot: Slot, ordersPerDay: number): Promise<boolean> => {
      const { cardId, requestedAt, replacementFor } = slot;
      const isWithinOrders = hasRoom('orders', ordersPerDay, ordersSince(requestedAt));
      const order = { cardId, at: requestedAt };
      const { modifiedCount } = await model.updateOne(
        {
          _id: userId,
          erasedAt: null,
          'slots.cardId': { $ne: cardId },
          [`slots.${MAX_LIVE_CARDS_WITH_REPLACEMENTS - 1}`]: { $exists: false },
          $expr: replacementFor === undefined ? { $and: [isWithinOrders, hasRoomForOrdinaryCard] } : isWithinOrders,
        },
        { $push: { slots: slot, orders: { $each: [order], $slice: -ordersPerDay } }, $set: { updatedAt: requestedAt } },
      );
      return modifiedCount === 1;
    },

    /**
     * Counts a dispute among those that are credited provisionally. Safe to repeat. This write alone enforces the limit.
     * @param most most disputes since a time
     * @returns false if the limit is reached
     */
    countProvisionalCredit: async (userId: string, credit: ProvisionalCredit, most: number, since: Date): Promise<boolean> => {
      const counted = { 'provisionalCredits.disputeId': credit.disputeId };
      const { modifiedCount } = await model.updateOne(
        {
          _id: userId,
          erasedAt: null,
          'provisionalCredits.disputeId': { $ne: credit.disputeId },
          $expr: hasRoom('provisionalCredits', most, since),
        },
        { $push: { provisionalCredits: { $each: [credit], $slice: -most } } },
      );
      return modifiedCount === 1 || (await model.exists({ _id: userId, ...counted })) !== null;
    },

    /**
     * Makes `attempt` the latest attempt on a card that is being issued; earlier attempts can no longer release the slot.
     * @param attempts number of this attempt: 1 when the cardholder asks
     * @param after take over only if this attempt is still the latest, for callers that compete
     * @returns the slot, or undefined if the card has no slot that is still issuing
     */
    takeOver: async (userId: string, cardId: string, attempt: Attempt, attempts: number, after?: Attempt): Promise<Slot | undefined> => {
      const { dueAt } = issuingSince(attempt, attempts);
      const latest = after === undefined ? { $exists: true } : after.id;
      const document = await model
        .findOneAndUpdate(
          { _id: userId, slots: { $elemMatch: { cardId, 'issuing.attempt.id': latest } } },
          { $set: { 'slots.$.issuing.attempt': attempt, 'slots.$.issuing.attempts': attempts, 'slots.$.issuing.dueAt': dueAt } },
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

    /** Releases a slot and its order after a refusal, unless a later attempt has begun or another one was confirmed. */
    releaseSlot: async (userId: string, cardId: string, attempt: Attempt): Promise<void> => {
      await model.updateOne(
        { _id: userId, slots: { $elemMatch: { cardId, 'issuing.attempt.id': attempt.id, 'issuing.issued': { $exists: false } } } },
        { $pull: { slots: { cardId }, orders: { cardId } } },
      );
    },

    /** Releases the slots of cards that will never be live again. */
    releaseSlots: async (userId: string, cardIds: readonly string[]): Promise<void> => {
      await model.updateOne({ _id: userId }, { $pull: { slots: { cardId: { $in: cardIds } } } });
    },

    /** Slots whose next attempt is due at `now`, the longest due first. */
    findWaiting: async (now: Date, limit: number): Promise<{ userId: string; slot: Slot; issuing: Issuing }[]> => {
      const documents = await model
        .find({ 'slots.issuing.dueAt': { $lte: now } }, { slots: 1 })
        .sort({ 'slots.issuing.dueAt': 1 })
        .limit(limit)
        .lean();
      return documents.flatMap(({ _id, slots }) =>
        slots.flatMap((slot) =>
          slot.issuing !== undefined && slot.issuing.dueAt <= now ? [{ userId: _id, slot, issuing: slot.issuing }] : [],
        ),
      );
    },
  };
};

export type CardholderStore = ReturnType<typeof createCardholderStore>;
