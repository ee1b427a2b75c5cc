import { systemRuntime } from '@florin/rpc/runtime';
import { archiveJournal } from '../archive/archive-journal.ts';
import { exportJournal } from '../archive/export-journal.ts';
import { importJournal } from '../archive/import-journal.ts';
import { indexUpTo } from '../runs/index-blocks.ts';
import { CommandError } from './command-error.ts';
import type { OpenLedger } from './open-ledger.ts';
import { createProgressBar } from './progress-bar.ts';
import { rebuildOne } from './rebuild.ts';
import { readKeptHeads } from './verify.ts';

type Say = (line: string) => void;

/** One bar per shard. */
const bars = ({ terminal }: Pick<OpenLedger, 'terminal'>) => {
  const known = new Map<string, ReturnType<typeof createProgressBar>>();
  return {
    progress: (shard: string) => {
      const bar = known.get(shard) ?? createProgressBar(`shard ${shard}`, terminal);
      known.set(shard, bar);
      return bar.show;
    },
    end: () => {
      for (const bar of known.values()) bar.end();
    },
  };
};

/** Writes the journal as of now, and the records beside it, to a file. @throws CommandError FILE_EXISTS */
export const exportTo = async (ledger: OpenLedger, path: string, say: Say): Promise<void> => {
  const { blocks, documents, heads, records, snapshots, signer } = ledger;
  const shards = [];
  for (const shard of ledger.shards) {
    const from = (await snapshots.archive(shard))?.n ?? 0;
    shards.push({ shard, from: { n: from }, to: await blocks.last(shard) });
  }
  const { progress, end } = bars(ledger);
  await exportJournal(path, { kind: 'export', shards, blocks: documents.between, heads: heads.all, records, progress, signer });
  end();
  for (const { shard, from, to } of shards) say(`ok    shard ${shard}: blocks ${from.n + 1} to ${to}`);
  say(`wrote ${path}${signer === undefined ? '; it is not signed: LEDGER_HEAD_KEY is not set' : ''}`);
};

export type ImportCommand = {
  paths: readonly string[];
  /** Copy of the published heads: its keys are trusted, and its heads must be those of the files. */
  heads?: string | undefined;
  /** Takes files whose signatures are missing, or cannot be checked. */
  withoutHeads: boolean;
};

/** Restores an empty database from archive files and an export. @throws CommandError */
export const importFrom = async (ledger: OpenLedger, command: ImportCommand, say: Say): Promise<void> => {
  const { documents, heads, records, alone } = ledger;
  const { paths, withoutHeads } = command;
  const kept = command.heads === undefined ? undefined : readKeptHeads(command.heads);
  const trusted = [...ledger.trusted, ...(kept?.keys ?? [])];
  const { progress, end } = bars(ledger);
  const rebuild = async (shard: string): Promise<void> => {
    end();
    await rebuildOne(ledger, shard, say);
  };
  const content = await importJournal({
    paths,
    trust: { trusted, kept: kept?.heads ?? [], unsigned: withoutHeads },
    blocks: documents,
    heads,
    records,
    now: systemRuntime.now,
    alone,
    rebuild,
    progress,
  });
  say(`${content.heads} signed heads${trusted.length === 0 ? ' (not checked)' : ''}, ${content.records} records`);
  for (const { path, problem } of content.unsigned) say(`warning: ${path} was imported although ${problem}`);
  say('imported');
};

/** Moves old blocks of a shard to a file. @throws CommandError */
export const archiveTo = async (ledger: OpenLedger, path: string, before: number, shard: string, say: Say): Promise<void> => {
  if (!ledger.shards.includes(shard)) throw new CommandError('NOTHING_TO_ARCHIVE', `shard ${shard} has no blocks`);
  const { progress, end } = bars(ledger);
  const index = (name: string, n: number) => indexUpTo(ledger, name, n);
  const snapshot = await archiveJournal({ ...ledger, blocks: ledger.documents, index, shard, before, path, progress });
  end();
  say(`wrote ${path}; the journal of shard ${shard} begins after block ${snapshot.n}, ${snapshot.at.toISOString()}`);
};
