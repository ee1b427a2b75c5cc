import { isDuplicateKey } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';
import type { Wrapped } from '../domain/card.ts';
import { wrappedSchema } from './card-model.ts';

/** A key of the vault itself, by its name. */
type VaultKeyDocument = { _id: string; wrapped: Wrapped; createdAt: Date };

const schema = new Schema<VaultKeyDocument>(
  { _id: String, wrapped: { type: wrappedSchema, required: true }, createdAt: { type: Date, required: true } },
  { collection: 'vault_keys', versionKey: false },
);

export const createVaultKeyStore = (connection: Connection) => {
  const model = connection.model<VaultKeyDocument>('VaultKey', schema);
  const find = async (name: string): Promise<Wrapped | undefined> => (await model.findById(name).lean())?.wrapped;
  return {
    find,
    /** Stores a key unless there is one. @returns the one that is stored: of two processes that start at once, both use the first one's */
    insertOrFind: async (name: string, wrapped: Wrapped, now: Date): Promise<Wrapped> => {
      try {
        await model.create({ _id: name, wrapped, createdAt: now });
        return wrapped;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      const stored = await find(name);
      if (stored === undefined) throw new Error(`the key ${name} exists and cannot be read`);
      return stored;
    },
    list: async (): Promise<{ name: string; wrapped: Wrapped }[]> =>
      (await model.find().lean()).map(({ _id, wrapped }) => ({ name: _id, wrapped })),
    rewrap: async (name: string, from: Wrapped, to: Wrapped): Promise<boolean> =>
      (await model.updateOne({ _id: name, 'wrapped.text': from.text }, { $set: { wrapped: to } })).modifiedCount === 1,
  };
};

export type VaultKeyStore = ReturnType<typeof createVaultKeyStore>;
