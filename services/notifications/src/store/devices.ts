import type { FieldCipher } from '@florin/data/encryption';
import { rawCollection } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';
import type { Language } from '../domain/preferences.ts';

/** A browser that shows notifications, as the Push API describes its subscription. */
export type Device = {
  /** Keyed hash of its endpoint. */
  id: string;
  userId: string;
  language: Language;
  subscription: Subscription;
  createdAt: Date;
  renewedAt: Date;
};

/** The endpoint is a capability: who knows it and the keys can send what the device shows. */
export type Subscription = { endpoint: string; p256dh: string; auth: string };

type Document = Omit<Device, 'id' | 'subscription'> & { _id: string; sealed: string };

const COLLECTION = 'devices';

/** The fields of this store that are encrypted. */
export const DEVICE_FIELDS = { [COLLECTION]: ['sealed'] } as const;

/** Devices of a user; of more, those that were not renewed for the longest time are removed. */
const MAX_DEVICES = 10;

const schema = new Schema<Document>({ _id: String }, { collection: COLLECTION, versionKey: false, strict: false }).index({
  userId: 1,
  renewedAt: -1,
});

/** The devices of all users. */
export type DeviceStore = {
  /** Returns true if the device with an endpoint is this user's. */
  isOwn: (endpoint: string, userId: string) => Promise<boolean>;
  /** Registers or renews a device. It is this user's from then on, whoever had it before. */
  put: (device: Pick<Device, 'userId' | 'language' | 'subscription'>, now: Date) => Promise<Device>;
  /** The user's devices, the one that was renewed last first. */
  ofUser: (userId: string) => Promise<Device[]>;
  /** The ids of these users' devices. */
  ofUsers: (userIds: readonly string[]) => Promise<Pick<Device, 'id' | 'userId'>[]>;
  /** The device if it is this user's. */
  find: (id: string, userId: string) => Promise<Device | undefined>;
  /** Removes a device if it is this user's. */
  remove: (id: string, userId: string) => Promise<void>;
  removeOf: (userId: string) => Promise<void>;
};

export const createDeviceStore = (connection: Connection, cipher: FieldCipher): DeviceStore => {
  const collection = rawCollection(connection.model<Document>('Device', schema));
  const placeOf = (id: string) => ({ collection: COLLECTION, id, field: 'sealed' });
  const toDevice = ({ _id, sealed, ...rest }: Document): Device => ({
    ...rest,
    id: _id,
    subscription: JSON.parse(cipher.decrypt(sealed, placeOf(_id))) as Subscription,
  });
  return {
    isOwn: async (endpoint, userId) =>
      (await collection.countDocuments({ _id: cipher.hash('endpoint', endpoint), userId }, { limit: 1 })) === 1,
    put: async ({ userId, language, subscription }, now) => {
      const id = cipher.hash('endpoint', subscription.endpoint);
      const sealed = cipher.encrypt(JSON.stringify(subscription), placeOf(id));
      const own = await collection.updateOne({ _id: id, userId }, { $set: { language, sealed, renewedAt: now } });
      if (own.matchedCount === 0)
        await collection.updateOne({ _id: id }, { $set: { userId, language, sealed, createdAt: now, renewedAt: now } }, { upsert: true });
      const surplus = await collection
        .find({ userId }, { projection: { _id: 1 } })
        .sort({ renewedAt: -1 })
        .skip(MAX_DEVICES)
        .toArray();
      if (surplus.length > 0) await collection.deleteMany({ _id: { $in: surplus.map(({ _id }) => _id) }, userId });
      const stored = await collection.findOne({ _id: id });
      return stored === null ? { id, userId, language, subscription, createdAt: now, renewedAt: now } : toDevice(stored);
    },
    ofUser: async (userId) => (await collection.find({ userId }).sort({ renewedAt: -1 }).toArray()).map(toDevice),
    ofUsers: async (userIds) => {
      const found = await collection.find({ userId: { $in: [...userIds] } }, { projection: { userId: 1 } }).toArray();
      return found.map(({ _id, userId }) => ({ id: _id, userId }));
    },
    find: async (id, userId) => {
      const found = await collection.findOne({ _id: id, userId });
      return found === null ? undefined : toDevice(found);
    },
    remove: async (id, userId) => {
      await collection.deleteOne({ _id: id, userId });
    },
    removeOf: async (userId) => {
      await collection.deleteMany({ userId });
    },
  };
};
