import { chainProblem, GENESIS, type Place, readLines } from '../audit/read-blocks.ts';
import { CommandError } from '../cli/command-error.ts';
import { type Head, signatureProblem } from '../heads/head.ts';
import type { PublicKey } from '../heads/head-key.ts';
import { type FileBlock, type FileHeader, readJournalFile, type WrittenLine } from './journal-file.ts';

/** What a chain of journal files holds, from the first block of each shard on. */
export type FileContent = {
  /** Last block of each shard. */
  tails: Map<string, Place>;
  heads: number;
  records: number;
};

type State = { header?: FileHeader; tails: Map<string, Place>; heads: Map<string, Head[]>; counted: FileContent };

const headerProblem = (header: FileHeader, tails: ReadonlyMap<string, Place>): string | undefined => {
  if (header.format !== 'florin-journal-1') return 'it is in another format';
  for (const { shard, from } of header.shards) {
    const known = tails.get(shard)?.n ?? 0;
    if (from !== known)
      return `it begins after block ${shard}:${from}, not after ${shard}:${known}; name the archive files before it, oldest first`;
  }
  return undefined;
};

const takeBlock = ({ tails, heads }: State, { at, ...block }: FileBlock): string | undefined => {
  const { shard, n, hash } = block;
  const id = `${shard}:${n}`;
  const place = { n, hash, at: new Date(at) };
  const problem = chainProblem(tails.get(shard) ?? GENESIS, shard, { _id: id, ...block, ...place });
  if (problem !== undefined) return `block ${id}: ${problem}`;
  readLines(id, block.body);
  for (const head of heads.get(id) ?? [])
    if (head.hash !== hash || head.at !== at) return `block ${id} is not the one that a signed head names`;
  heads.delete(id);
  tails.set(shard, place);
  return undefined;
};

const takeHead = ({ heads, counted }: State, head: Head, trusted: readonly PublicKey[]): string | undefined => {
  const id = `${head.shard}:${head.n}`;
  const problem = trusted.length === 0 ? undefined : signatureProblem(head, trusted);
  if (problem !== undefined) return `head of block ${id}: ${problem}`;
  heads.set(id, [...(heads.get(id) ?? []), head]);
  counted.heads += 1;
  return undefined;
};

/** @returns what is wrong with the line, in one sentence */
const takeLine = (state: State, line: WrittenLine, trusted: readonly PublicKey[]): string | undefined => {
  try {
    if ('header' in line) {
      if (state.header !== undefined) return 'it has two headers';
      state.header = line.header;
      return headerProblem(line.header, state.tails);
    }
    if (state.header === undefined) return 'its header is missing';
    if ('head' in line) return takeHead(state, line.head as Head, trusted);
    if ('block' in line) return takeBlock(state, line.block);
    state.counted.records += 1;
    return undefined;
  } catch (error) {
    return `a line cannot be read: ${error instanceof Error ? error.message : 'unknown cause'}`;
  }
};

/**
 * Reads journal files to their ends without writing anything: checksums, every block's hash and place, the signed heads.
 * @param paths archive files, oldest first, then the export
 * @param trusted keys whose heads are accepted; heads are not checked without one
 * @throws CommandError FILE_NOT_FOUND; FILE_BROKEN
 */
export const checkFiles = async (paths: readonly string[], trusted: readonly PublicKey[]): Promise<FileContent> => {
  const tails = new Map<string, Place>();
  const counted: FileContent = { tails, heads: 0, records: 0 };
  for (const [index, path] of paths.entries()) {
    const state: State = { tails, heads: new Map(), counted };
    const fail = (problem: string): never => {
      throw new CommandError('FILE_BROKEN', `${path}: ${problem}`);
    };
    for await (const line of readJournalFile(path)) {
      const problem = takeLine(state, line, trusted);
      if (problem !== undefined) fail(problem);
    }
    const { header, heads } = state;
    if (header === undefined) return fail('its header is missing');
    for (const { shard, to } of header.shards)
      if ((tails.get(shard)?.n ?? 0) !== to) fail(`block ${shard}:${(tails.get(shard)?.n ?? 0) + 1} is missing`);
    for (const id of heads.keys()) fail(`block ${id}, which a signed head names, is missing`);
    const isLast = index === paths.length - 1;
    if (isLast !== (header.kind === 'export'))
      fail(isLast ? 'it is an archive: name the export after it' : 'it is an export, which must be the last file');
  }
  return counted;
};
