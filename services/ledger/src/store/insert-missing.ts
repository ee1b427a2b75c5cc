import { isDuplicateKey } from '@florin/kit/store';
import type { Collection } from 'mongoose';

/** Whether all that went wrong in an unordered bulk write is that documents were there already. */
export const isOnlyDuplicates = (error: unknown): boolean => {
  const errors = (error as { writeErrors?: unknown }).writeErrors;
  if (!Array.isArray(errors) || errors.length === 0) return isDuplicateKey(error);
  return errors.every(isDuplicateKey);
};

/** Inserts the documents that are not there yet; those that are stay as they are. */
export const insertMissing = async (collection: Collection, documents: readonly { _id: string }[]): Promise<void> => {
  if (documents.length === 0) return;
  try {
    await collection.insertMany(documents as never[], { ordered: false });
  } catch (error) {
    if (!isOnlyDuplicates(error)) throw error;
  }
};
