import { readFile } from 'node:fs/promises';
import { run } from './run.ts';

/** A file that needs more lines has more than one purpose. Tests and generated code are exempt. */
const MAX_LINES = 250;

const LEDGER = 'services/ledger/src';
/** What has to be read as a whole to be trusted: files that have at most so many lines together. */
const READ_AS_A_WHOLE: readonly { files: readonly string[]; maxLines: number }[] = [
  ...['committer', 'queue', 'drafter', 'writer', 'writer-state'].map((name) => ({
    files: [`${LEDGER}/journal/${name}.ts`],
    maxLines: 150,
  })),
  { files: ['source', 'read-blocks', 'id-set', 'book'].map((name) => `${LEDGER}/audit/${name}.ts`), maxLines: 300 },
];

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
for (const { files, maxLines } of READ_AS_A_WHOLE) {
  const texts = await Promise.all(files.map((path) => readFile(path, 'utf8')));
  limit(
    files.join(' + '),
    texts.reduce((sum, text) => sum + linesOf(text), 0),
    maxLines,
  );
}
process.exitCode = failed ? 1 : 0;
