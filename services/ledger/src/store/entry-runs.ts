import { createHash, hash } from 'node:crypto';
import { isDuplicateKey, rawCollection } from '@florin/data/store';
import { type Connection, type mongo, Schema } from 'mongoose';
import { InvariantError } from '../domain/invariant-error.ts';
import { type RunHead, type RunPart, type RunStore, runName, type WrittenRun } from '../runs/run-store.ts';
import { insertMissing } from './insert-missing.ts';

/** `_id` is `<shard>:<level>:<from>`. A run that is being written has neither content nor checksum. */
type HeadDocument = Omit<RunHead, 'tokens'> & { _id: string; shard: string; state: 'writing' | 'ready'; tokens?: string[]; sum?: string };

/** `_id` is `<shard>:<run>:<name>`; `epoch` is the term of the writer, absent in parts written by release 0.2.0. */
type PartDocument = { _id: string; epoch?: number; data: Buffer; sum: string };

const headSchema = new Schema<HeadDocument>({ _id: String }, { collection: 'entry_runs', versionKey: false, strict: false });
headSchema.index({ shard: 1 });
const partSchema = new Schema<PartDocument>({ _id: String }, { collection: 'entry_run_parts', versionKey: false, strict: false });

const PARTS_PER_READ = 32;
const NAMES_PER_READ = 1000;

const headId = (shard: string, { level, from }: Pick<RunHead, 'level' | 'from'>): string => `${shard}:${level}:${from}`;
const partId = (shard: string, run: string, name: string): string => `${shard}:${run}:${name}`;

const sumOfHead = (shard: string, { level, from, to, epoch, entries, tokens, touches, digest }: RunHead): string =>
  hash(
    'sha256',
    JSON.stringify([shard, level, from, to, epoch, entries, tokens, touches, ...(digest === undefined ? [] : [digest])]),
    'base64url',
  );
const sumOfPart = (id: string, data: Buffer): string => createHash('sha256').update(`${id}\n`).update(data).digest('base64url');

/** A finished run's head as it is stored. */
export const headDocument = (shard: string, head: RunHead): HeadDocument => ({
  _id: headId(shard, head),
  shard,
  state: 'ready',
  ...head,
  tokens: [...head.tokens],
  sum: sumOfHead(shard, head),
});

/** A part as it is stored. */
export const partDocument = (shard: string, run: WrittenRun, { name, data }: RunPart): PartDocument => {
  const _id = partId(shard, runName(run), name);
  return { _id, epoch: run.epoch, data, sum: sumOfPart(_id, data) };
};

/** Of terms before this one. */
const earlierThan = (epoch: number) => ({ $or: [{ epoch: null }, { epoch: { $lt: epoch } }] }) as mongo.Filter<PartDocument>;

const broken = (what: string): InvariantError => new InvariantError(`${what} has a wrong checksum: run \`npm run ledger -- rebuild\``);

const toHead = ({ _id, shard, sum, level, from, to, epoch, entries, tokens = [], touches, digest }: HeadDocument): RunHead => {
  const summed = { level, from, to, epoch, entries, tokens, touches };
  const head = digest === undefined ? summed : { ...summed, digest };
  // Of runs from between 0.2.0 and the next release, the sum leaves the digest out.
  if (![head, summed].some((one) => sum === sumOfHead(shard, one)) || _id !== headId(shard, head)) throw broken(`run ${_id}`);
  return head;
};

/** Runs of entries: a head for each in `entry_runs`, its content in `entry_run_parts`. */
export const createRunStore = (connection: Connection): RunStore => {
  const heads = rawCollection(connection.model<HeadDocument>('EntryRun', headSchema));
  const partModel = connection.model<PartDocument>('EntryRunPart', partSchema);
  const parts = rawCollection(partModel);
  /** Removes the parts that were written in terms before this one. Those of later terms stay: a removal may arrive late. */
  const removeParts = async (shard: string, run: string, epoch: number): Promise<void> => {
    const prefix = partId(shard, run, '');
    await parts.deleteMany({ _id: { $gt: prefix, $lt: `${prefix.slice(0, -1)};` }, ...earlierThan(epoch) });
  };
  return {
    heads: async (shard) => {
      const found = await heads.find({ shard, state: 'ready' }).toArray();
      return found.map(toHead).sort((a, b) => a.from - b.from || b.level - a.level);
    },
    claim: async (shard, { level, from, to, epoch }) => {
      const _id = headId(shard, { level, from });
      const claimed = { shard, state: 'writing', level, from, to, epoch } as const;
      try {
        const filter = { _id, state: 'writing', epoch: { $lte: epoch } } as const;
        const before = await heads.findOneAndReplace(filter, claimed as never, { upsert: true, returnDocument: 'before' });
        // Parts without a head, or of another writer, are not trusted. Those of this term stay: its attempts at one run have the same
        // content, and the end of the previous attempt may still arrive and make the run visible.
        const names = new Set([runName(claimed), ...(before === null ? [] : [runName(before)])]);
        for (const name of names) await removeParts(shard, name, epoch);
        // A place is free again once a merge has taken in its run. The merged run is finished by then, so that one that is not found now did not free it.
        const covering = await heads.findOne({ shard, state: 'ready', from: { $lte: from }, to: { $gte: from }, level: { $gt: level } });
        if (covering === null) return true;
        await heads.deleteOne({ _id, state: 'writing', epoch, to });
        return false;
      } catch (error) {
        // Duplicate key: the document exists but does not meet the condition.
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    put: async (shard, run, given) => {
      const documents = given.map((part) => partDocument(shard, run, part));
      for (const document of await insertMissing(partModel, documents)) {
        try {
          await parts.replaceOne({ _id: document._id, ...earlierThan(run.epoch) }, document, { upsert: true });
        } catch (error) {
          // Duplicate key: the part is of this term or a later one.
          if (!isDuplicateKey(error)) throw error;
        }
      }
      return documents.map(({ sum }) => sum);
    },
    finish: async (shard, head) => {
      const { _id, ...content } = headDocument(shard, head);
      const { matchedCount } = await heads.replaceOne({ _id, state: 'writing', epoch: head.epoch, to: head.to }, content as never);
      return matchedCount === 1;
    },
    parts: async (shard, run, names) => {
      const found = new Map<string, Buffer>();
      const prefix = partId(shard, run, '');
      for (let start = 0; start < names.length; start += PARTS_PER_READ) {
        const ids = names.slice(start, start + PARTS_PER_READ).map((name) => prefix + name);
        for await (const { _id, data, sum } of parts.find({ _id: { $in: ids } }, { promoteBuffers: true })) {
          if (sum !== sumOfPart(_id, data)) throw broken(`part ${_id} of a run`);
          found.set(_id.slice(prefix.length), data);
        }
      }
      return found;
    },
    stored: async (shard, run, names) => {
      const found = new Map<string, string>();
      const prefix = partId(shard, run, '');
      for (let start = 0; start < names.length; start += NAMES_PER_READ) {
        const ids = names.slice(start, start + NAMES_PER_READ).map((name) => prefix + name);
        for await (const { _id, sum } of parts.find({ _id: { $in: ids } }, { projection: { sum: 1 } }))
          found.set(_id.slice(prefix.length), sum);
      }
      return found;
    },
    remove: async (shard, run) => {
      await heads.deleteOne({ _id: headId(shard, run), to: run.to });
      await removeParts(shard, runName(run), run.epoch + 1);
    },
    removeUnfinished: async (shard, epoch) => {
      for await (const { _id, ...run } of heads.find({ shard, state: 'writing', epoch: { $lt: epoch } })) {
        const filter = { _id, state: 'writing', epoch: run.epoch, to: run.to } as const;
        const { matchedCount } = await heads.updateOne(filter, { $set: { epoch } });
        // Finished meanwhile, or claimed by another writer.
        if (matchedCount === 0) continue;
        await removeParts(shard, runName(run), epoch);
        await heads.deleteOne({ _id, state: 'writing', epoch });
      }
    },
  };
};
