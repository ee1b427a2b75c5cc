import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { link, rm, unlink } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { isSignedBy, keyId, type PublicKey, type SigningKey } from '@florin/rpc/signing-key';
import { CommandError } from '../cli/command-error.ts';

/**
 * A journal as a file: gzip over lines of JSON, one value a line. The first states what the file holds, the last (`end`) how many
 * lines there are and their SHA-256, so that a file that is cut off is not taken for a whole one, and the signature of both with the
 * head key, so that a file that was changed is not either.
 */
export type FileHeader = {
  format: 'florin-journal-1';
  /** An archive holds blocks and heads, an export also the records that do not follow from the journal. */
  kind: 'export' | 'archive';
  /** Blocks of each shard: those after `from` up to `to`. */
  shards: { shard: string; from: number; to: number }[];
};

/** A stored block, as its document has it; `at` as ISO 8601. */
export type FileBlock = { shard: string; n: number; epoch: number; prevHash: string; hash: string; at: string; body: string };

export type FileLine =
  | { header: FileHeader }
  | { head: object }
  | { block: FileBlock }
  /** A document of a collection, in MongoDB's canonical extended JSON. */
  | { record: object; collection: string }
  | { end: FileEnd };

export type FileEnd = {
  lines: number;
  sha256: string;
  /** Thumbprint of the signing key and Ed25519 signature of `endText`, base64url; absent when no head key was configured. */
  key?: string;
  signature?: string;
};

/** A line but the last. */
export type WrittenLine = Exclude<FileLine, { end: object }>;

const LEVEL = 4;

/** The signed text. The leading word keeps the signature from meaning anything else, a head for example. */
const endText = (lines: number, sha256: string, key: string): string => JSON.stringify(['florin-journal-file-1', lines, sha256, key]);

const endOf = (lines: number, sha256: string, signer: SigningKey | undefined): FileEnd =>
  signer === undefined ? { lines, sha256 } : { lines, sha256, key: signer.id, signature: signer.sign(endText(lines, sha256, signer.id)) };

/**
 * Why a file's signature is not accepted, in one sentence; undefined when a trusted key signed exactly this content.
 * @param end the last line of a file whose checksum is right
 */
export const fileSignatureProblem = ({ lines, sha256, key, signature }: FileEnd, trusted: readonly PublicKey[]): string | undefined => {
  if (key === undefined || signature === undefined) return 'it is not signed';
  const known = trusted.find((one) => keyId(one) === key);
  if (known === undefined) return `it is signed with the key ${key}, which is not trusted`;
  return isSignedBy(known, endText(lines, sha256, key), signature) ? undefined : 'its signature does not fit its content';
};

/**
 * Writes lines as a journal file. The file appears under its name when it is complete, or not at all.
 * @throws CommandError FILE_EXISTS
 */
export const writeJournalFile = async (path: string, lines: AsyncIterable<WrittenLine>, signer: SigningKey | undefined): Promise<void> => {
  const refuse = (): never => {
    throw new CommandError('FILE_EXISTS', `${path} exists: name a new file`);
  };
  if (existsSync(path)) refuse();
  const partial = `${path}.partial`;
  const texts = async function* (): AsyncGenerator<string> {
    const digest = createHash('sha256');
    let count = 0;
    for await (const line of lines) {
      const text = `${JSON.stringify(line)}\n`;
      digest.update(text);
      count += 1;
      yield text;
    }
    yield `${JSON.stringify({ end: endOf(count, digest.digest('hex'), signer) } satisfies FileLine)}\n`;
  };
  try {
    await pipeline(Readable.from(texts()), createGzip({ level: LEVEL }), createWriteStream(partial, { flush: true }));
    // Unlike a rename, a link does not replace a file that has appeared meanwhile.
    await link(partial, path).catch((error: NodeJS.ErrnoException) => (error.code === 'EEXIST' ? refuse() : Promise.reject(error)));
    await unlink(partial);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
};

const broken = (path: string, problem: string, cause?: unknown): CommandError =>
  new CommandError('FILE_BROKEN', `${path} is not a complete journal file: ${problem}`, { cause });

const LINE_FEED = 0x0a;
/** No block is larger: the engine's documents are not. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

const splitLines = async function* (path: string): AsyncGenerator<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  const source = createReadStream(path);
  const unpacked = createGunzip();
  source.once('error', (error) => unpacked.destroy(error));
  for await (const chunk of source.pipe(unpacked) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      yield Buffer.concat([...parts.splice(0), chunk.subarray(start, end + 1)]);
      start = end + 1;
      size = 0;
    }
    parts.push(chunk.subarray(start));
    size += chunk.length - start;
    if (size > MAX_LINE_BYTES) throw broken(path, 'a line is too long');
  }
  if (size > 0) throw broken(path, 'its last line is cut off');
};

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** @throws SyntaxError */
const parseLine = (text: string): FileLine => {
  const line = JSON.parse(text) as FileLine;
  if (!isObject(line) || ('end' in line && !isObject(line.end))) throw new SyntaxError('a line is not an object');
  return line;
};

/**
 * Reads a journal file, line by line. The last line comes after its checksum has been compared.
 * @throws CommandError FILE_NOT_FOUND; FILE_BROKEN, perhaps only after all lines were read: what they say holds only then
 */
export const readJournalFile = async function* (path: string): AsyncGenerator<FileLine> {
  if (!existsSync(path)) throw new CommandError('FILE_NOT_FOUND', `${path} does not exist`);
  const digest = createHash('sha256');
  let lines = 0;
  let ended = false;
  try {
    for await (const text of splitLines(path)) {
      if (ended) throw broken(path, 'something follows its last line');
      const line = parseLine(text.toString('utf8'));
      if ('end' in line) {
        if (line.end.lines !== lines || line.end.sha256 !== digest.digest('hex')) throw broken(path, 'its checksum is wrong');
        ended = true;
        yield line;
        continue;
      }
      digest.update(text);
      lines += 1;
      yield line;
    }
  } catch (error) {
    const isReadError = error instanceof SyntaxError || (error as NodeJS.ErrnoException).code?.startsWith('Z_') === true;
    throw isReadError ? broken(path, (error as Error).message, error) : error;
  }
  if (!ended) throw broken(path, 'its last line is missing');
};
