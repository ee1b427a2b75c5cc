import { readFile } from 'node:fs/promises';
import { run } from './run.ts';

/** A file holds one idea, whole. One that needs more lines than this rarely does. Tests and generated code are exempt. */
const MAX_LINES = 500;

/** The second reading of the journal is trusted because a person can read it in one sitting: these files together. */
const AUDIT = ['source', 'read-blocks', 'id-set', 'book'].map((name) => `services/ledger/src/audit/${name}.ts`);
const MAX_AUDIT_LINES = 300;

const { output } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx']);
const isExempt = (path: string): boolean => path.startsWith('proto/gen/') || path.includes('/generated/') || /\.test\.tsx?$/.test(path);
const sources = output.split('\n').filter((path) => path !== '' && !isExempt(path));
if (sources.length === 0) throw new Error('no sources were found');

const linesOf = (text: string): number => text.trimEnd().split('\n').length;

let failed = false;
const limit = (what: string, lines: number, maxLines: number): void => {
  if (lines <= maxLines) return;
  process.stderr.write(`${what} has ${lines} lines; at most ${maxLines} are allowed\n`);
  failed = true;
};
for (const path of sources) limit(path, linesOf(await readFile(path, 'utf8').catch(() => '')), MAX_LINES);
const audit = await Promise.all(AUDIT.map((path) => readFile(path, 'utf8')));
limit(
  AUDIT.join(' + '),
  audit.reduce((sum, text) => sum + linesOf(text), 0),
  MAX_AUDIT_LINES,
);
process.exitCode = failed ? 1 : 0;
