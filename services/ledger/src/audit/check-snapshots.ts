import { BUCKETS, bucketOf, type Owed, owedBucketRoot, owedTo, rootOf } from '@florin/evm/reserves';
import { addToTotals, createAccountTree, spellTotals } from '../heads/account-tree.ts';
import type { AccountLine } from './book.ts';
import { AuditError, type Source } from './source.ts';

/** Header of a snapshot; early ones have no totals. */
export type StoredSnapshot = {
  _id: string;
  shard: string;
  n: number;
  hash: string;
  at: Date;
  root: string;
  accounts: number;
  totals?: [key: string, amount: string][];
  owed?: string;
};
type StoredPart = { _id: string; from: number; to: number; text: string; safes?: string; roots: string; owed?: string };

/** Describes the fault of a stored snapshot's parts; undefined when they have the root, and the sums, that its header states. */
export const partsProblem = async (
  source: Source,
  { shard, n, root, accounts, totals, owed }: Omit<StoredSnapshot, '_id'>,
): Promise<string | undefined> => {
  const roots: Buffer[] = [];
  const sums = new Map<string, bigint>();
  const owedRoots: Buffer[] = [];
  let count = 0;
  let [parts, withSafes, withOwed] = [0, 0, 0];
  const found = source.collection('snapshot_parts').find({ shard, n }).sort({ from: 1 }).batchSize(1) as AsyncIterable<StoredPart>;
  for await (const { _id, from, to, text, safes, roots: stated, owed: statedOwed } of found) {
    if (_id !== `${shard}:${n}:${from}` || from !== roots.length || !(to > from && to <= BUCKETS)) return 'has a part in a wrong place';
    const tree = createAccountTree({ from, to });
    const owedTos = Array.from({ length: to - from }, (): Owed[] => []);
    const ofSafes = safes?.split('\n');
    try {
      const lines = text === '' ? [] : text.split('\n').map((one) => JSON.parse(one) as AccountLine);
      for (const [index, line] of lines.entries()) {
        tree.put(line);
        addToTotals(sums, line);
        const own = owedTo(line, ofSafes?.[index] ?? '');
        if (own !== undefined) owedTos[bucketOf(line[0]) - from]?.push(own);
        count += 1;
      }
    } catch {
      return 'has a part that cannot be read';
    }
    const own = Array.from({ length: to - from }, (_, index) => tree.rootOfBucket(from + index));
    if (Buffer.concat(own).toString('base64') !== stated) return 'has a part with wrong roots';
    const ownOwed = owedTos.map(owedBucketRoot);
    parts += 1;
    withSafes += ofSafes === undefined ? 0 : 1;
    withOwed += statedOwed === undefined ? 0 : 1;
    // Without Safes: by an earlier release, whose leaves were others.
    if (ofSafes !== undefined && statedOwed !== undefined && Buffer.concat(ownOwed).toString('base64') !== statedOwed)
      return 'has a part with wrong roots of what is owed';
    roots.push(...own);
    owedRoots.push(...ownOwed);
  }
  if (roots.length !== BUCKETS || rootOf(roots).toString('hex') !== root) return 'differs from its root';
  if (count !== accounts) return 'has another number of accounts than it states';
  // Earlier releases leave them out of all of a snapshot.
  if (![0, parts].includes(withSafes) || withOwed !== (owed === undefined ? 0 : parts)) return 'has parts that differ in their fields';
  if (withSafes > 0 && owed !== undefined && owed !== rootOf(owedRoots).toString('hex'))
    return 'states another root of what is owed than it has';
  return totals === undefined || JSON.stringify(totals) === JSON.stringify(spellTotals(sums)) ? undefined : 'states other sums than it has';
};

/**
 * Reads the stored snapshots of a shard, and holds the parts of each against its header.
 * @returns the headers, for the walk to compare with the journal @throws AuditError
 */
export const checkSnapshots = async (source: Source, shard: string): Promise<StoredSnapshot[]> => {
  const headers = () => Array.fromAsync(source.collection('snapshots').find({ shard }) as AsyncIterable<StoredSnapshot>);
  const found = await headers();
  for (const snapshot of found) {
    const { _id, n } = snapshot;
    const problem = _id === `${shard}:${n}` ? await partsProblem(source, snapshot) : 'is stored under another name';
    // A newer one may have taken its place meanwhile.
    if (problem !== undefined && (await headers()).some((one) => one._id === _id))
      throw new AuditError(`${shard}:${n}`, `the snapshot of this block ${problem}`);
  }
  return found;
};
