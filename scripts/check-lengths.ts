import { readFile } from 'node:fs/promises';
import { run } from './run.ts';

/** A file that needs more lines has more than one purpose. Tests and generated code are exempt. */
const MAX_LINES = 250;

const { output } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx']);
const isExempt = (path: string): boolean => path.startsWith('proto/gen/') || path.includes('/generated/') || /\.test\.tsx?$/.test(path);
const sources = output.split('\n').filter((path) => path !== '' && !isExempt(path));
if (sources.length === 0) throw new Error('no sources were found');

let failed = false;
for (const path of sources) {
  const lines = (await readFile(path, 'utf8').catch(() => '')).trimEnd().split('\n').length;
  if (lines <= MAX_LINES) continue;
  process.stderr.write(`${path} has ${lines} lines; at most ${MAX_LINES} are allowed\n`);
  failed = true;
}
process.exitCode = failed ? 1 : 0;
