import { CodedError } from '@florin/rpc/errors';
import { encodeCursor } from '../domain/page-cursor.ts';
import { positionOf } from '../domain/position.ts';

/** The block that the stored journal begins after. */
export type Archive = { n: number; at: Date };

/** Finds where a shard's stored journal begins; undefined when it holds every block. */
export type FindArchive = (shard: string) => Promise<Archive | undefined>;

/** The last possible position of a block. */
export const endOf = (n: number): number => positionOf(n + 1, 0) - 1;

/** The requested entries lie, at least in part, in blocks that were moved to archive files. */
export const entriesArchived = ({ n, at }: Archive): CodedError =>
  new CodedError('ENTRIES_ARCHIVED', {
    message: `entries up to ${at.toISOString()} are in archive files`,
    metadata: { firstPosition: encodeCursor(endOf(n)), archivedUntil: at.toISOString() },
  });
