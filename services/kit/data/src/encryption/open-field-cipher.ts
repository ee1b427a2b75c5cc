import { ConfigError } from '@florin/rpc/config';
import type { Connection } from 'mongoose';
import { DATABASE_RECORDS, isDuplicateKey, isUnauthorized } from '../store/index.ts';
import { createFieldCipher, type FieldCipher } from './field-cipher.ts';
import type { FieldKey } from './field-keys.ts';

/** A value of which encrypted text and hash are kept, to recognize keys. */
const KNOWN = 'florin';
const PLACE = { collection: DATABASE_RECORDS, id: 'field-keys', field: 'sealed' };

type KeyRecord = { _id: string; sealed: string; hash: string };

/**
 * Creates the cipher of a database's fields, after comparing its keys with those that the database was written with: values that a wrong
 * key encrypts are lost when the right key returns, and a wrong hash key ends uniqueness without an error. The first start records the keys.
 * @throws ConfigError when a key is not the one that the database was written with
 */
export const openFieldCipher = async (connection: Connection, keys: readonly FieldKey[], hashKey: Uint8Array): Promise<FieldCipher> => {
  const cipher = createFieldCipher(keys, hashKey);
  const records = connection.collection<KeyRecord>(DATABASE_RECORDS);
  const current = () => ({ sealed: cipher.encrypt(KNOWN, PLACE), hash: cipher.hash('field-keys', KNOWN) });
  let record = await records.findOne({ _id: PLACE.id });
  if (record === null) {
    await records.insertOne({ _id: PLACE.id, ...current() }).catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error;
    });
    record = await records.findOne({ _id: PLACE.id });
  }
  if (record === null) throw new Error('the record of the keys was removed while it was read');
  try {
    cipher.decrypt(record.sealed, PLACE);
  } catch (cause) {
    throw new ConfigError('FIELD_KEYS: does not contain the key that the database was written with', { cause });
  }
  if (record.hash !== cipher.hash('field-keys', KNOWN)) {
    throw new ConfigError('FIELD_HASH_KEY: is not the key that the database was written with');
  }
  // So that the former key can be removed from the configuration. A user without the right to update leaves this to the owner of the database.
  if (!cipher.isCurrent(record.sealed)) {
    const renewed = { $set: { sealed: current().sealed } };
    await records.updateOne({ _id: PLACE.id, sealed: record.sealed }, renewed).catch((error: unknown) => {
      if (!isUnauthorized(error)) throw error;
    });
  }
  return cipher;
};
