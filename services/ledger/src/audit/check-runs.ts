import type { Line, ReadBlock } from './read-blocks.ts';
import { assertHead, createSetDigest, idText, keyOf, type RunContent, readRun, rowText, type StoredRun } from './read-run.ts';
import { AuditError, type Source } from './source.ts';

const BOOKED = ['transfer', 'hold.posted', 'deposit.approved', 'deposit.reversed', 'withdrawal.completed', 'reversal', 'account.closed'];
const BOOKED_ACCOUNT = /\/(available|held|outgoing|debt)$/;

/** Times that the runs are read again because a ledger merges them meanwhile. */
const MAX_READS = 20;

const positionOf = (n: number, index: number): number => n * 100_000 + index;

/** The rows that an entry must have, by account. */
const rowsOf = ({ n, at }: ReadBlock, line: Line, index: number): [account: string, row: string][] => {
  const users = line.transfers.flatMap(([debit, credit]) => [debit, credit].filter((name) => name.includes('/')));
  const accounts = new Set(users.map((name) => name.split('/')[0] ?? ''));
  const booked = BOOKED.includes(line.kind) && users.some((name) => BOOKED_ACCOUNT.test(name));
  const row = `${positionOf(n, index)} ${at.getTime()} ${booked ? 1 : 0} ${line.text}`;
  return (accounts.size === 0 ? [''] : [...accounts]).map((account) => [account, row]);
};

const storedRuns = async (source: Source, shard: string): Promise<StoredRun[]> => {
  const found = new Map<string, StoredRun>();
  const runs = source.collection('entry_runs');
  for (const filter of [{ shard }, { _id: { $regex: `^${shard}:` } }]) {
    for await (const run of runs.find(filter) as AsyncIterable<StoredRun>) found.set(run._id, run);
  }
  for (const run of found.values()) assertHead(shard, run);
  return [...found.values()].filter(({ state }) => state === 'ready').sort((a, b) => a.from - b.from || b.level - a.level);
};

type Checked = { run: StoredRun; content: RunContent };

/** All runs, those left out that others have taken the place of. @throws AuditError */
const readRuns = async (source: Source, shard: string, start: number, archived: (id: string) => void): Promise<Checked[]> => {
  const known = new Map<string, RunContent>();
  for (let reads = 1; ; reads += 1) {
    const checked: Checked[] = [];
    let missing: StoredRun | undefined;
    for (const run of await storedRuns(source, shard)) {
      const before = checked.at(-1)?.run.to ?? 0;
      if (run.to <= before) continue;
      if (run.from !== before + 1) throw new AuditError(`${shard}:${before + 1}`, 'the runs of entries leave this block out');
      const content = known.get(run.sum) ?? (await readRun(source, shard, run, positionOf(start + 1, 0), archived));
      if (content === undefined) {
        missing = run;
        break;
      }
      known.set(run.sum, content);
      checked.push({ run, content });
    }
    if (missing === undefined) return checked;
    const isThere = (await storedRuns(source, shard)).some(({ sum }) => sum === missing.sum);
    if (isThere || reads === MAX_READS) throw new AuditError(`${shard}:${missing.to}`, `the run of entries ${missing._id} lacks a part`);
  }
};

/**
 * Holds the runs, by which entries are found, against the blocks: each entry stands under its id and under each of its accounts, and
 * nothing else does. Of the archived blocks, up to `start`, only the checksums can be checked.
 * @param archived receives the ids of the archived entries
 */
export const createRunCheck = async (source: Source, shard: string, start: number, archived: (id: string) => void = () => undefined) => {
  const runs = (await readRuns(source, shard, start, archived)).filter(({ run }) => run.to > start);
  let rows = createSetDigest();
  let ids = createSetDigest();
  return {
    /** Last block that is in a run; 0 without runs. */
    last: runs.at(-1)?.run.to ?? 0,
    /** @throws AuditError */
    check: (block: ReadBlock): void => {
      const [current] = runs;
      if (current === undefined || block.n < current.run.from) return;
      const { run, content } = current;
      block.lines.forEach((line, index) => {
        ids.add(idText(keyOf(line.id), positionOf(block.n, index)));
        for (const [account, row] of rowsOf(block, line, index)) rows.add(rowText(account, row));
      });
      const time = content.times.get(block.n);
      if (time !== undefined && time !== block.at.getTime())
        throw new AuditError(block.id, `the run of entries ${run._id} has another time`);
      if (block.n < run.to) return;
      if (rows.value() !== content.rows) throw new AuditError(block.id, `the run of entries ${run._id} has other rows than its blocks`);
      if (ids.value() !== content.ids) throw new AuditError(block.id, `the run of entries ${run._id} has other ids than its blocks`);
      runs.shift();
      [rows, ids] = [createSetDigest(), createSetDigest()];
    },
    /** @throws AuditError when a run is of blocks that the journal does not have */
    end: (): void => {
      const [next] = runs;
      if (next !== undefined)
        throw new AuditError(`${shard}:${next.run.to}`, `the run of entries ${next.run._id} is newer than the journal`);
    },
  };
};
