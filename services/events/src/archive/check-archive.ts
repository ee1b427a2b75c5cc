import { type Head, headAfter } from '../domain/feed-block.ts';
import { ArchiveError } from './archive-error.ts';
import { listFiles } from './archive-feed.ts';
import { readArchive } from './archive-file.ts';

/** The content of a feed's files. */
export type Checked = { feed: string; files: number; first: number; last: number };

const isSame = (a: Head['lastOf'], b: Head['lastOf']): boolean => {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => a[name] === b[name]);
};

/**
 * Reads all files of an archive, without a database: checksums, that nothing is missing within and between them, and that every block says what precedes it.
 * @throws ArchiveError NO_DIRECTORY, FILE_BROKEN, FILES_NOT_CONTIGUOUS
 */
export const checkArchive = async (directory: string): Promise<Checked[]> => {
  const checked = new Map<string, Checked>();
  const heads = new Map<string, Head>();
  for (const file of await listFiles(directory)) {
    const { feed, name, first, last } = file;
    const known = checked.get(feed);
    if (known !== undefined && known.last + 1 !== first) {
      throw new ArchiveError('FILES_NOT_CONTIGUOUS', `${name} does not follow on the event ${known.last} of the feed ${feed}`);
    }
    for await (const block of readArchive(directory, file)) {
      const head = heads.get(feed);
      const follows = head === undefined || (block.n === head.n + 1 && isSame(block.before, head.lastOf));
      if (!follows || block.last - block.first + 1 !== block.events.length) {
        throw new ArchiveError('FILE_BROKEN', `${name}: block ${block.n} does not follow on the one before it`);
      }
      heads.set(feed, headAfter(block));
    }
    checked.set(feed, { feed, files: (known?.files ?? 0) + 1, first: known?.first ?? first, last });
  }
  return [...checked.values()];
};
