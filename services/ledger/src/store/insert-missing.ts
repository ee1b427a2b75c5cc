import type { Collection } from 'mongoose';

const DUPLICATE_KEY = 11_000;

/** Errors of an unordered bulk insert, one per document that was not inserted. */
const writeErrorsOf = (error: unknown): { code?: number }[] => {
  const errors = (error as { writeErrors?: unknown }).writeErrors;
  return Array.isArray(errors) ? errors : [];
};

/** Inserts the documents that are not there yet; those that are stay as they are. */
export const insertMissing = async (collection: Collection, documents: readonly { _id: string }[]): Promise<void> => {
  if (documents.length === 0) return;
  try {
    await collection.insertMany(documents as never[], { ordered: false });
  } catch (error) {
    const errors = writeErrorsOf(error);
    if (errors.length === 0 || errors.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
  }
};
