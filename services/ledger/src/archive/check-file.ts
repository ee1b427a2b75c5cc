import { type Head, signatureProblem } from '@florin/evm/reserves';
import { keyId, type PublicKey } from '@florin/rpc/signing-key';
import { chainProblem, GENESIS, type Place, readLines } from '../audit/read-blocks.ts';
import { CommandError } from '../cli/command-error.ts';
import { readRecord } from '../store/records.ts';
import { type FileBlock, type FileEnd, type FileHeader, type FileLine, fileSignatureProblem, readJournalFile } from './journal-file.ts';

/** Whose files are imported. */
export type FileTrust = {
  /** Keys whose signatures are accepted. */
  trusted: readonly PublicKey[];
  /** Heads that were kept elsewhere: the files must hold their blocks. */
  kept: readonly Head[];
  /** Takes files without a signature, or with one that no key is known for. Signatures by known keys must still be valid. */
  unsigned: boolean;
};

/** The content of a chain of journal files, from the first block of each shard on. */
export type FileContent = {
  /** Last block of each shard. */
  tails: Map<string, Place>;
  heads: number;
  records: number;
  /** Checksum of each file's content, by path. */
  checksums: Map<string, string>;
  /** Files without an accepted signature, and why. */
  unsigned: { path: string; problem: string }[];
};

type State = { header?: FileHeader; end?: FileEnd; tails: Map<string, Place>; heads: Map<string, Head[]>; counted: FileContent };

const headerProblem = (header: FileHeader, tails: ReadonlyMap<string, Place>): string | undefined => {
  if (header.format !== 'florin-journal-1') return 'it is in another format';
  for (const { shard, from } of header.shards) {
    const known = tails.get(shard)?.n ?? 0;
    if (from !== known)
      return `it begins after block ${shard}:${from}, not after ${shard}:${known}; name the archive files before it, oldest first`;
  }
  return undefined;
};

/** Holds a block against the heads that name it. @returns what is wrong, in one sentence */
const takeKept = (heads: Map<string, Head[]>, { shard, n, hash, at }: FileBlock): string | undefined => {
  const id = `${shard}:${n}`;
  const differs = heads.get(id)?.some((head) => head.hash !== hash || head.at !== at);
  heads.delete(id);
  return differs === true ? `block ${id} is not the one that a signed head names` : undefined;
};

const takeBlock = ({ tails, heads }: State, { at, ...block }: FileBlock): string | undefined => {
  const { shard, n, hash } = block;
  const id = `${shard}:${n}`;
  const place = { n, hash, at: new Date(at) };
  const problem = chainProblem(tails.get(shard) ?? GENESIS, shard, { _id: id, ...block, ...place });
  if (problem !== undefined) return `block ${id}: ${problem}`;
  readLines(id, block.body);
  tails.set(shard, place);
  return takeKept(heads, { at, ...block });
};

const expectHead = ({ heads }: Pick<State, 'heads'>, head: Head): void => {
  const id = `${head.shard}:${head.n}`;
  heads.set(id, [...(heads.get(id) ?? []), head]);
};

const takeHead = (state: State, head: Head, trusted: readonly PublicKey[]): string | undefined => {
  // A head signed by an unknown key, for example a retired one, is trusted through the file's signature.
  const problem = trusted.some((key) => keyId(key) === head.key) ? signatureProblem(head, trusted) : undefined;
  if (problem !== undefined) return `head of block ${head.shard}:${head.n}: ${problem}`;
  expectHead(state, head);
  state.counted.heads += 1;
  return undefined;
};

/** @returns what is wrong with the line, in one sentence */
const takeLine = (state: State, line: FileLine, trusted: readonly PublicKey[]): string | undefined => {
  try {
    if ('header' in line) {
      if (state.header !== undefined) return 'it has two headers';
      state.header = line.header;
      return headerProblem(line.header, state.tails);
    }
    if (state.header === undefined) return 'its header is missing';
    if ('end' in line) {
      state.end = line.end;
      return undefined;
    }
    if ('head' in line) return takeHead(state, line.head as Head, trusted);
    if ('block' in line) return takeBlock(state, line.block);
    readRecord(line.collection, line.record);
    state.counted.records += 1;
    return undefined;
  } catch (error) {
    return `a line cannot be read: ${error instanceof Error ? error.message : 'unknown cause'}`;
  }
};

/** @throws CommandError FILE_NOT_SIGNED; FILE_BROKEN @returns why the file's signature is not accepted; undefined when it is */
const checkSignature = (path: string, end: FileEnd, { trusted, unsigned }: FileTrust): string | undefined => {
  const problem = fileSignatureProblem(end, trusted);
  if (problem === undefined) return undefined;
  const isKnown = trusted.some((key) => keyId(key) === end.key);
  if (isKnown && end.signature !== undefined) throw new CommandError('FILE_BROKEN', `${path}: ${problem}`);
  if (!unsigned) {
    throw new CommandError(
      'FILE_NOT_SIGNED',
      `${path}: ${problem}. Name the key in LEDGER_HEAD_TRUST or a kept copy of the published heads with --heads, or accept the file as it is with --without-heads`,
    );
  }
  return problem;
};

/**
 * Reads journal files to their ends without writing anything: checksums, signatures, every block's hash and place, the signed heads.
 * @param paths archive files, oldest first, then the export
 * @throws CommandError FILE_NOT_FOUND; FILE_BROKEN; FILE_NOT_SIGNED; HEAD_KEY_REQUIRED
 */
export const checkFiles = async (paths: readonly string[], trust: FileTrust): Promise<FileContent> => {
  const { trusted, kept, unsigned } = trust;
  if (trusted.length === 0 && !unsigned) {
    throw new CommandError(
      'HEAD_KEY_REQUIRED',
      'signatures cannot be checked without a key: set LEDGER_HEAD_KEY or LEDGER_HEAD_TRUST, name a kept copy of the published heads with --heads, or accept the files as they are with --without-heads',
    );
  }
  const tails = new Map<string, Place>();
  const counted: FileContent = { tails, heads: 0, records: 0, checksums: new Map(), unsigned: [] };
  const expected = { heads: new Map<string, Head[]>() };
  for (const head of kept) expectHead(expected, head);
  for (const [index, path] of paths.entries()) {
    const state: State = { tails, heads: new Map(), counted };
    const fail = (problem: string): never => {
      throw new CommandError('FILE_BROKEN', `${path}: ${problem}`);
    };
    for await (const line of readJournalFile(path)) {
      const problem = takeLine(state, line, trusted) ?? ('block' in line ? takeKept(expected.heads, line.block) : undefined);
      if (problem !== undefined) fail(problem);
    }
    const { header, heads, end } = state;
    if (header === undefined || end === undefined) return fail('its header is missing');
    for (const { shard, to } of header.shards)
      if ((tails.get(shard)?.n ?? 0) !== to) fail(`block ${shard}:${(tails.get(shard)?.n ?? 0) + 1} is missing`);
    for (const id of heads.keys()) fail(`block ${id}, which a signed head names, is missing`);
    const isLast = index === paths.length - 1;
    if (isLast !== (header.kind === 'export'))
      fail(isLast ? 'it is an archive: name the export after it' : 'it is an export, which must be the last file');
    for (const id of isLast ? expected.heads.keys() : []) fail(`block ${id}, which a kept head names, is missing`);
    counted.checksums.set(path, end.sha256);
    const problem = checkSignature(path, end, trust);
    if (problem !== undefined) counted.unsigned.push({ path, problem });
  }
  return counted;
};
