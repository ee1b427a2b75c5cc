import { parseArgs } from 'node:util';
import { benchAgainst } from './against.ts';
import { BENCHES } from './benches.ts';
import { benchCardsAgainst } from './cards-against.ts';
import { printTable, type Row } from './row.ts';
import { benchTokenChecks } from './token-checks.ts';

/** `npm run bench -- NAME [--json] [--short]`, or `cards`, `decisions`, `sign-ins` and `token-checks` with `--against DIR`. */
const { values, positionals } = parseArgs({
  options: { json: { type: 'boolean', default: false }, short: { type: 'boolean', default: false }, against: { type: 'string' } },
  allowPositionals: true,
});
const [name = ''] = positionals;
const { against } = values;

const benchOf = (): ((report: (line: string) => void) => Promise<Row[]>) | undefined => {
  if (against === undefined) return BENCHES[name];
  if (name === 'cards') return (report) => benchCardsAgainst(against, report);
  if (name === 'token-checks') return (report) => benchTokenChecks(against, report);
  return name === 'decisions' || name === 'sign-ins' ? (report) => benchAgainst(name, against, report) : undefined;
};

const bench = benchOf();
if (bench === undefined) {
  const names = Object.keys(BENCHES).join(', ');
  process.stderr.write(
    `usage: npm run bench -- NAME [--json] [--short], NAME one of: ${names}\n       npm run bench -- cards|decisions|sign-ins|token-checks --against DIR [--json] [--short]\n`,
  );
  process.exitCode = 2;
} else {
  // Progress goes to stderr, so that stdout contains only the result.
  const rows = await bench((line) => process.stderr.write(`${line}\n`));
  process.stdout.write(values.json ? `${JSON.stringify(rows, null, 2)}\n` : printTable(rows));
}
