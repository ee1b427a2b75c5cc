import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FeedBlock } from '../domain/feed-block.ts';
import type { ArchiveStore } from '../store/archives.ts';
import type { BlockStore } from '../store/blocks.ts';
import { ArchiveError } from './archive-error.ts';
import { type ArchiveFile, lineOf, parseName, readArchive, writeArchive } from './archive-file.ts';

type Blocks = Pick<BlockStore, 'between' | 'newest' | 'removeUpTo'>;

export type ArchiveOptions = {
  feed: string;
  directory: string;
  /** Events that were appended before are archived. */
  before: Date;
  blocks: Blocks;
  archives: ArchiveStore;
};

/** The files of an archive, in the order of their events. @throws ArchiveError NO_DIRECTORY */
export const listFiles = async (directory: string): Promise<ArchiveFile[]> => {
  const names = await readdir(directory).catch((cause: unknown) => {
    throw new ArchiveError('NO_DIRECTORY', `${directory} is not a directory that can be read`, { cause });
  });
  return names.flatMap((name) => parseName(name) ?? []).sort((a, b) => a.name.localeCompare(b.name, 'en'));
};

/** Files that a killed run has begun are not touched while another run may write them. */
const ABANDONED_MS = 60 * 60 * 1000;

const removeAbandoned = async (directory: string): Promise<void> => {
  for (const name of (await readdir(directory)).filter((one) => one.startsWith('.') && one.endsWith('.partial'))) {
    const path = join(directory, name);
    const changed = await stat(path).catch(() => undefined);
    if (changed !== undefined && Date.now() - changed.mtimeMs > ABANDONED_MS) await rm(path, { force: true });
  }
};

/** The blocks after the last that was archived, up to the first that is to be kept. The newest stays: the next one is numbered after it. */
const dueBlocks = async function* ({ feed, before, blocks }: ArchiveOptions, floor: number): AsyncGenerator<FeedBlock> {
  const newest = await blocks.newest(feed);
  for await (const block of blocks.between(feed, floor, (newest?.first ?? 1) - 1)) {
    if (block.at >= before) return;
    yield block;
  }
};

/** Proves that a file has every stored block that it is to replace. @throws ArchiveError FILE_BROKEN, ARCHIVE_DIFFERS */
const compare = async ({ feed, directory, blocks }: ArchiveOptions, file: ArchiveFile): Promise<void> => {
  const stored = blocks.between(feed, file.first - 1, file.last)[Symbol.asyncIterator]();
  let next = await stored.next();
  let differing: number | undefined;
  for await (const block of readArchive(directory, file)) {
    if (next.done === true || lineOf(next.value) !== lineOf(block)) differing ??= block.n;
    next = await stored.next();
  }
  if (differing !== undefined || next.done !== true) {
    throw new ArchiveError(
      'ARCHIVE_DIFFERS',
      `${file.name} differs from the feed in block ${differing ?? 'after its last'}; it belongs to another platform`,
    );
  }
};

/**
 * Moves the events of a feed that are old enough into a file. First the file is complete, read again and compared; then one write moves the place where the feed begins; then
 * the blocks are deleted. A killed run is completed by the next one.
 * @returns the file; undefined if there was nothing to archive
 * @throws ArchiveError FILE_BROKEN, ARCHIVE_DIFFERS, ARCHIVED_MEANWHILE (by another run), NO_DIRECTORY
 */
export const archiveFeed = async (options: ArchiveOptions): Promise<ArchiveFile | undefined> => {
  const { feed, directory, blocks, archives } = options;
  const floor = await archives.floor(feed);
  // Blocks that a killed run left behind are in its file already.
  await blocks.removeUpTo(feed, floor);
  const files = await listFiles(directory);
  await removeAbandoned(directory);
  const left = files.find((file) => file.feed === feed && file.first === floor + 1);
  const due = dueBlocks(options, floor);
  const first = left === undefined ? await due.next() : undefined;
  if (first?.done === true) return undefined;
  const file = left ?? (await writeArchive(directory, feed, withFirst(first?.value, due)));
  await compare(options, file);
  if (!(await archives.move(feed, floor, file.last))) {
    throw new ArchiveError('ARCHIVED_MEANWHILE', `another run archives the feed ${feed}: begin again when it has ended`);
  }
  await blocks.removeUpTo(feed, file.last);
  return file;
};

const withFirst = async function* (first: FeedBlock | undefined, rest: AsyncIterable<FeedBlock>): AsyncGenerator<FeedBlock> {
  if (first !== undefined) yield first;
  yield* rest;
};
