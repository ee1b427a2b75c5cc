import { createHash, hash } from 'node:crypto';
import { isDuplicateKey, rawCollection } from '@florin/data/store';
import { type Connection, Schema } from 'mongoose';
import { InvariantError } from '../domain/invariant-error.ts';
import { type RunHead, type RunStore, runName } from '../runs/run-store.ts';
import { insertMissing } from './insert-missing.ts';

/** `_id` is `<shard>:<level>:<from>`. A run that is being written has neither content nor checksum. */
type HeadDocument = Omit<RunHead, 'tokens'> & { _id: string; shard: string; state: 'writing' | 'ready'; tokens?: string[]; sum?: string };

/** `_id` is `<shard>:<run>:<name>`. */
type PartDocument = { _id: string; data: Buffer; sum: string };

const headSchema = new Schema<HeadDocument>({ _id: String }, { collection: 'entry_runs', versionKey: false, strict: false });
headSchema.index({ shard: 1 });
const partSchema = new Schema<PartDocument>({ _id: String }, { collection: 'entry_run_parts', versionKey: false, strict: false });

const PARTS_PER_READ = 32;

const headId = (shard: string, { level, from }: Pick<RunHead, 'level' | 'from'>): string => `${shard}:${level}:${from}`;
const partId = (shard: string, run: string, name: string): string => `${shard}:${run}:${name}`;

const sumOfHead = (shard: string, { level, from, to, epoch, entries, tokens, touches }: RunHead): string =>
  hash('sha256', JSON.stringify([shard, level, from, to, epoch, entries, tokens, touches]), 'base64url');
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
export const partDocument = (shard: string, run: string, name: string, data: Buffer): PartDocument => {
  const _id = partId(shard, run, name);
  return { _id, data, sum: sumOfPart(_id, data) };
};

const broken = (what: string): InvariantError => new InvariantError(`${what} has a wrong checksum: run \`npm run ledger -- rebuild\``);

const toHead = ({ _id, shard, sum, level, from, to, epoch, entries, tokens = [], touches }: HeadDocument): RunHead => {
  const head = { level, from, to, epoch, entries, tokens, touches };
  if (sum !== sumOfHead(shard, head) || _id !== headId(shard, head)) throw broken(`run ${_id}`);
  return head;
};

/** Runs of entries: a head for each in `entry_runs`, its content in `entry_run_parts`. */
export const createRunStore = (connection: Connection): RunStore => {
  const heads = rawCollection(connection.model<HeadDocument>('EntryRun', headSchema));
  const partModel = connection.model<PartDocument>('EntryRunPart', partSchema);
  const parts = rawCollection(partModel);
  const removeParts = async (shard: string, run: string): Promise<void> => {
    const prefix = partId(shard, run, '');
    await parts.deleteMany({ _id: { $gt: prefix, $lt: `${prefix.slice(0, -1)};` } });
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
        // What was left behind without a head, or by another writer, is not trusted. What this term has written stays: its attempts at one
        // run have the same content, and the end of the one before may still arrive and make the run visible.
        if (before?.epoch !== epoch || before.to !== to) await removeParts(shard, runName(claimed));
        return true;
      } catch (error) {
        // Duplicate key: the document exists but does not meet the condition.
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    put: (shard, run, given) =>
      insertMissing(
        partModel,
        given.map(({ name, data }) => partDocument(shard, run, name, data)),
      ),
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
    remove: async (shard, run) => {
      await heads.deleteOne({ _id: headId(shard, run), to: run.to });
      await removeParts(shard, runName(run));
    },
    removeUnfinished: async (shard, epoch) => {
      for await (const { _id, ...run } of heads.find({ shard, state: 'writing', epoch: { $lt: epoch } })) {
        await removeParts(shard, runName(run));
        await heads.deleteOne({ _id, state: 'writing', epoch: run.epoch });
      }
    },
  };
};
