import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { link, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { type FeedBlock, numbered, type UnnumberedEvent } from '../domain/feed-block.ts';
import { ArchiveError } from './archive-error.ts';

/**
 * Blocks of a feed as a file: gzip over lines of JSON. The first line states the feed, each further one is a block, and the last, `end`, has the number of blocks
 * and the SHA-256 of all lines before it, so that a file that is cut off or changed is not taken for a whole one. The name states the sequences of the
 * first and the last event, `acme.000000000000001-000000000104200.jsonl.gz`: files in the order of their names are the feed.
 */
const FORMAT = 'florin-feed-1';

export type ArchiveFile = { feed: string; first: number; last: number; name: string };

const NAME = /^(_platform|[a-z0-9][a-z0-9-]{0,39})\.(\d{15})-(\d{15})\.jsonl\.gz$/;

const padded = (sequence: number): string => String(sequence).padStart(15, '0');

/** Reads the name of a file; undefined if it is not one of an archive. */
export const parseName = (name: string): ArchiveFile | undefined => {
  const [, feed, first, last] = NAME.exec(name) ?? [];
  return feed === undefined ? undefined : { feed, first: Number(first), last: Number(last), name };
};

/** A block as a line. Equal blocks have equal lines. */
export const lineOf = ({ feed: _feed, n, first, last, at, before, events }: FeedBlock): string => {
  const listed = events.map(({ id, type, typeNumber, at: when, subject, subjectSequence, data, userId }) => ({
    ...{ id, type, typeNumber, at: when.toISOString(), subject, subjectSequence, data },
    ...(userId === undefined ? {} : { userId }),
  }));
  const sorted = Object.fromEntries(Object.entries(before).sort(([a], [b]) => Number(a) - Number(b)));
  return `${JSON.stringify({ block: { n, first, last, at: at.toISOString(), before: sorted, events: listed } })}\n`;
};

/** Makes what was written to a directory durable. */
const syncDirectory = async (directory: string): Promise<void> => {
  const handle = await open(directory);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/**
 * Writes blocks, at least one, as a file. It appears under its name when it is complete and durable, or not at all; a file of that name stays as it is.
 * @param blocks contiguous, in their order
 */
export const writeArchive = async (directory: string, feed: string, blocks: AsyncIterable<FeedBlock>): Promise<ArchiveFile> => {
  const partial = join(directory, `.${feed}.${randomUUID()}.partial`);
  const range = { first: 0, last: 0 };
  const texts = async function* (): AsyncGenerator<string> {
    const digest = createHash('sha256');
    let count = 0;
    const take = (text: string): string => {
      digest.update(text);
      return text;
    };
    yield take(`${JSON.stringify({ header: { format: FORMAT, feed } })}\n`);
    for await (const block of blocks) {
      if (count === 0) range.first = block.first;
      range.last = block.last;
      count += 1;
      yield take(lineOf(block));
    }
    yield `${JSON.stringify({ end: { blocks: count, sha256: digest.digest('hex') } })}\n`;
  };
  try {
    await pipeline(Readable.from(texts()), createGzip(), createWriteStream(partial, { flush: true, mode: 0o600 }));
    const name = `${feed}.${padded(range.first)}-${padded(range.last)}.jsonl.gz`;
    await link(partial, join(directory, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await syncDirectory(directory);
    return { feed, ...range, name };
  } finally {
    await rm(partial, { force: true });
  }
};

type StoredEvent = Omit<UnnumberedEvent, 'at'> & { at: string };
type Line = {
  header?: { format: string; feed: string };
  block?: Omit<FeedBlock, 'feed' | 'at' | 'events'> & { at: string; events: StoredEvent[] };
  end?: { blocks: number; sha256: string };
};

const toBlock = (feed: string, { at, events, ...block }: NonNullable<Line['block']>): FeedBlock => ({
  feed,
  ...block,
  at: new Date(at),
  events: events.map((event) => numbered({ ...event, at: new Date(event.at) })),
});

/**
 * Reads the blocks of a file, in their order.
 * @throws ArchiveError FILE_BROKEN, perhaps only after the last block: what the blocks say holds only then
 */
export const readArchive = async function* (directory: string, { name, feed, first, last }: ArchiveFile): AsyncGenerator<FeedBlock> {
  const broken = (problem: string, cause?: unknown): ArchiveError => new ArchiveError('FILE_BROKEN', `${name}: ${problem}`, { cause });
  const digest = createHash('sha256');
  const source = createReadStream(join(directory, name));
  const unpacked = createGunzip();
  source.once('error', (error) => unpacked.destroy(error));
  let count = 0;
  let reached = first - 1;
  let end: Line['end'];
  try {
    for await (const text of createInterface({ input: source.pipe(unpacked), crlfDelay: Number.POSITIVE_INFINITY })) {
      if (end !== undefined) throw broken('something follows its last line');
      const line = JSON.parse(text) as Line;
      if (line.end !== undefined) {
        end = line.end;
        continue;
      }
      digest.update(`${text}\n`);
      if (line.block === undefined) {
        if (line.header?.format !== FORMAT || line.header.feed !== feed || count > 0) throw broken('it is not a file of this feed');
        continue;
      }
      if (line.block.first !== reached + 1) throw broken(`the event ${reached + 1} is missing`);
      reached = line.block.last;
      count += 1;
      yield toBlock(feed, line.block);
    }
  } catch (error) {
    if (error instanceof ArchiveError) throw error;
    throw broken('it cannot be read', error);
  } finally {
    source.destroy();
  }
  if (end === undefined) throw broken('its last line is missing');
  if (end.blocks !== count || end.sha256 !== digest.digest('hex')) throw broken('its checksum is wrong');
  if (reached !== last) throw broken(`it ends with the event ${reached}`);
};
