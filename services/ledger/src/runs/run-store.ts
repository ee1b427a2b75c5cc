import { hash } from 'node:crypto';

/**
 * A run: what the entries of some blocks are found by, written once. Level 0 is made from blocks, level 1 from several runs of level 0 that
 * follow each other, and takes their place.
 */
export type RunHead = {
  level: number;
  /** First and last block. */
  from: number;
  to: number;
  /** Term of the writer that made it. */
  epoch: number;
  entries: number;
  /** Tokens that its entries move; an empty one stands for entries that move nothing. */
  tokens: readonly string[];
  /** At least the number of different accounts and tokens among its rows. */
  touches: number;
  /** Binds the parts to the head (`digestOf`); absent in runs written by release 0.2.0. */
  digest?: string;
};

/** Digest of a run's content. @param sums checksums of all its parts, in any order */
export const digestOf = (sums: Iterable<string>): string => hash('sha256', JSON.stringify([...sums].sort()), 'base64url');

/** Name of a run, without its shard. */
export const runName = ({ level, from, to }: Pick<RunHead, 'level' | 'from' | 'to'>): string => `${level}:${from}-${to}`;

/** A run as its writer names it: which one, and in which term. */
export type WrittenRun = Pick<RunHead, 'level' | 'from' | 'to' | 'epoch'>;

/** A piece of a run's content: `starts`, `tags`, `positions.<k>`, `filter`, `times`, `directory`, `rows.<k>`. */
export type RunPart = { name: string; data: Buffer };

/** Runs as they are stored. Derived from blocks: may be dropped as long as no block that they cover is archived. */
export type RunStore = {
  /** Finished runs of a shard, the oldest first; a run before those that it has taken the place of. @throws InvariantError on a wrong checksum */
  heads: (shard: string) => Promise<RunHead[]>;
  /**
   * Claims the place of a run: of several writers one may write the run of a level that begins with a block. Takes it from a writer of an
   * earlier term that has not finished, and from an attempt of this term that failed.
   * @returns false when the run is finished, alone or as part of a merged one, or claimed by a later term
   */
  claim: (shard: string, run: WrittenRun) => Promise<boolean>;
  /** Writes parts of a claimed run, in place of those of earlier terms; those of this term, or a later one, stay. @returns the checksums of what was given */
  put: (shard: string, run: WrittenRun, parts: readonly RunPart[]) => Promise<string[]>;
  /** Makes a claimed run visible. @returns false when the claim was lost */
  finish: (shard: string, head: RunHead) => Promise<boolean>;
  /** Parts by name; what is missing is left out. @throws InvariantError on a wrong checksum */
  parts: (shard: string, run: string, names: readonly string[]) => Promise<Map<string, Buffer>>;
  /** Checksums of those parts that are stored, by name. */
  stored: (shard: string, run: string, names: readonly string[]) => Promise<Map<string, string>>;
  /** Removes a run, its head first. */
  remove: (shard: string, run: WrittenRun) => Promise<void>;
  /** Removes runs that writers of earlier terms have left unfinished: from then on these cannot finish them. */
  removeUnfinished: (shard: string, epoch: number) => Promise<void>;
};
