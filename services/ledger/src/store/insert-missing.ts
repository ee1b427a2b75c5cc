import { isDuplicateKey } from '@florin/data/store';
import type { Connection } from 'mongoose';

/** Reports whether all that went wrong in an unordered bulk write is that documents were there already. */
export const isOnlyDuplicates = (error: unknown): boolean => {
  const errors = (error as { writeErrors?: unknown }).writeErrors;
  if (!Array.isArray(errors) || errors.length === 0) return isDuplicateKey(error);
  return errors.every(isDuplicateKey);
};

/** The most writes in one command (`maxWriteBatchSize`). */
const MAX_DOCUMENTS = 50_000;

type InsertReply = {
  writeErrors?: readonly { index: number; code: number; errmsg: string }[];
  writeConcernError?: { code: number; errmsg: string };
};

const serverError = ({ code, errmsg }: { code: number; errmsg: string }): Error =>
  Object.assign(new Error(errmsg), { name: 'MongoServerError', code });

/** The part of a model that says where its documents are. */
type Place = { db: Connection; collection: { collectionName: string } };

/**
 * Inserts the documents that are not there yet; those that are stay as they are. As a plain command: the driver's bulk writes
 * measure and copy each document first, which costs as much as sending it.
 * @returns the documents that were not inserted
 */
export const insertMissing = async <D extends { _id: string }>(
  { db: connection, collection }: Place,
  documents: readonly D[],
): Promise<D[]> => {
  const there: D[] = [];
  for (let start = 0; start < documents.length; start += MAX_DOCUMENTS) {
    const { db } = connection;
    if (db === undefined) throw new Error('not connected');
    const reply = (await db.command({
      insert: collection.collectionName,
      documents: documents.slice(start, start + MAX_DOCUMENTS),
      ordered: false,
      writeConcern: { w: 'majority', j: true },
    })) as InsertReply;
    const problem = reply.writeErrors?.find((error) => !isDuplicateKey(error)) ?? reply.writeConcernError;
    if (problem !== undefined) throw serverError(problem);
    for (const { index } of reply.writeErrors ?? []) there.push(...documents.slice(start + index, start + index + 1));
  }
  return there;
};
