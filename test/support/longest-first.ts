import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take minutes. On a fresh checkout, where no earlier run says how long a file takes, they would begin by their size, and the longest one last: alone, with
 * one worker idle.
 */
const LONGEST = [
  'test/bench/bench.proof.test.ts',
  'services/ledger/src/archive/killed-commands.proof.test.ts',
  'test/faults/upgrade.proof.test.ts',
  'test/demo/play-on-chain.proof.test.ts',
  'test/app/everyday.proof.test.ts',
  'test/faults/books/trouble-books.proof.test.ts',
  'test/e2e/reconciliation.proof.test.ts',
  'test/e2e/card-payments-random.test.ts',
  'test/interop/own-clients.proof.test.ts',
  'test/back-office/chain.proof.test.ts',
];

const missing = LONGEST.filter((file) => !existsSync(join(import.meta.dirname, '../..', file)));
if (missing.length > 0) throw new Error(`the files that begin first do not exist: ${missing.join(', ')}`);

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = LONGEST.findIndex((file) => moduleId.endsWith(`/${file}`));
  return rank === -1 ? LONGEST.length : rank;
};

/** Begins with the files that take longest, and keeps those of a project together: a worker serves one project, and imports everything anew for another. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const byName = (a: TestSpecification, b: TestSpecification): number => a.project.name.localeCompare(b.project.name);
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b) || byName(a, b));
  }
}
