import type { Logger } from '@florin/rpc/observe';
import { startRounds } from '@florin/rpc/time';
import type { Connection, mongo } from 'mongoose';
import type { FieldCipher } from './field-cipher.ts';

/** Encrypted fields by the names of their collections. They are at the top level of the documents; each holds one value. */
export type EncryptedFields = Readonly<Record<string, readonly string[]>>;

/** Documents that one query reads. */
const BATCH = 200;
const PAUSE_MS = 1000;

type Found = { _id: string } & Record<string, unknown>;

type Target = { name: string; stored: mongo.Collection<Found>; fields: readonly string[] };

/**
 * Encrypts one batch of values anew that have another than the current key, after the document with `_id` `after`. A value that changes
 * at the same time is left to its new writer; one that cannot be decrypted is logged and left as it is.
 * @returns `_id` of the last document that was read; undefined at the end of the collection
 */
const rewrapBatch = async (
  { name: collection, stored: documents, fields }: Target,
  { cipher, logger }: { cipher: FieldCipher; logger: Logger },
  after: string | undefined,
): Promise<{ last: string | undefined; rewrapped: number }> => {
  const projection = Object.fromEntries(fields.map((field) => [field, 1]));
  const found = await documents
    .find(after === undefined ? {} : { _id: { $gt: after } }, { projection })
    .sort({ _id: 1 })
    .limit(BATCH)
    .toArray();
  const changes = found.flatMap((document) =>
    fields.flatMap((field) => {
      const stored = document[field];
      if (typeof stored !== 'string' || cipher.isCurrent(stored)) return [];
      const place = { collection, id: document._id, field };
      let text: string;
      try {
        text = cipher.decrypt(stored, place);
      } catch (err) {
        // One damaged value must not keep the others on an old key.
        logger.error({ err, collection, id: place.id, field }, 'a value cannot be decrypted');
        return [];
      }
      const value = cipher.encrypt(text, place);
      return [{ updateOne: { filter: { _id: document._id, [field]: stored }, update: { $set: { [field]: value } } } }];
    }),
  );
  if (changes.length > 0) await documents.bulkWrite(changes, { ordered: false });
  return { last: found.length < BATCH ? undefined : found.at(-1)?._id, rewrapped: changes.length };
};

/**
 * Encrypts all values anew that have another than the current key, a batch per second, while the service runs. It walks each collection
 * until a walk finds nothing to do, since replicas with an older configuration may still write with an older key. After a restart it
 * begins again; a value is never without a readable version.
 */
export const startRewrap = ({
  connection,
  fields,
  cipher,
  logger,
  pauseMs = PAUSE_MS,
}: {
  connection: Connection;
  fields: EncryptedFields;
  cipher: FieldCipher;
  logger: Logger;
  /** Pause between two batches, in milliseconds. Default: 1 s. */
  pauseMs?: number;
}) => {
  const waiting = Object.entries(fields).map(([name, own]) => ({
    target: { name, stored: connection.collection(name) as unknown as mongo.Collection<Found>, fields: own },
    after: undefined as string | undefined,
    rewrapped: 0,
  }));
  const round = async (): Promise<void> => {
    const [walk] = waiting;
    if (walk === undefined) return;
    const { last, rewrapped } = await rewrapBatch(walk.target, { cipher, logger }, walk.after);
    walk.rewrapped += rewrapped;
    walk.after = last;
    if (last !== undefined) return;
    const { target } = walk;
    if (walk.rewrapped === 0) {
      waiting.shift();
      logger.info({ collection: target.name, prefix: cipher.currentPrefix }, 'every readable value has the current field key');
    } else {
      logger.info({ collection: target.name, rewrapped: walk.rewrapped }, 'values were encrypted anew');
      walk.rewrapped = 0;
    }
  };
  const rounds = startRounds({ round, intervalMs: pauseMs, logger, failed: 'encrypting values anew failed, will retry' });
  return { ...rounds, isDone: (): boolean => waiting.length === 0 };
};
