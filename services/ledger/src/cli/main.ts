import { parseArgs } from 'node:util';
import { CommandError } from './command-error.ts';
import { archiveTo, exportTo, importFrom } from './files.ts';
import type { OpenLedger } from './open-ledger.ts';
import { printProof, prove, snapshot } from './proofs.ts';
import { rebuild } from './rebuild.ts';
import { verify } from './verify.ts';

const USAGE = `usage: npm run ledger -- <command>
  verify [--heads FILE] [--json] [--max-accounts N]
  rebuild
  snapshot [--shard S]
  prove --account ID FILE
  check-proof FILE [--heads FILE]
  export FILE
  import [--heads FILE] [--without-heads] FILE...
  archive --before BLOCK [--shard S] FILE`;

const OPTIONS = {
  heads: { type: 'string' },
  json: { type: 'boolean' },
  'max-accounts': { type: 'string' },
  shard: { type: 'string' },
  account: { type: 'string' },
  before: { type: 'string' },
  'without-heads': { type: 'boolean' },
} as const;

type Values = { [K in keyof typeof OPTIONS]?: (typeof OPTIONS)[K]['type'] extends 'boolean' ? boolean : string };

/** What a command takes, and what it does. `run` returns whether everything is right. */
type Command = {
  options: readonly (keyof typeof OPTIONS)[];
  required?: readonly (keyof typeof OPTIONS)[];
  files: readonly [least: number, most: number];
  run: (ledger: OpenLedger, values: Values, files: readonly string[]) => Promise<unknown>;
};

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const COMMANDS: Readonly<Record<string, Command>> = {
  verify: {
    options: ['heads', 'json', 'max-accounts'],
    files: [0, 0],
    run: (ledger, { heads, json = false, 'max-accounts': most }) =>
      verify(ledger, { heads, json, ...(most === undefined ? {} : { maxAccounts: Number(most) }) }, say),
  },
  rebuild: { options: [], files: [0, 0], run: (ledger) => rebuild(ledger, say) },
  snapshot: {
    options: ['shard'],
    files: [0, 0],
    run: (ledger, { shard }) => snapshot(ledger, shard === undefined ? ledger.shards : [shard], say),
  },
  prove: {
    options: ['account'],
    required: ['account'],
    files: [1, 1],
    run: (ledger, { account = '' }, [file = '']) => prove(ledger, account, file, say),
  },
  export: { options: [], files: [1, 1], run: (ledger, _values, [file = '']) => exportTo(ledger, file, say) },
  import: {
    options: ['heads', 'without-heads'],
    files: [1, Number.POSITIVE_INFINITY],
    run: (ledger, { heads, 'without-heads': withoutHeads = false }, paths) => importFrom(ledger, { paths, heads, withoutHeads }, say),
  },
  archive: {
    options: ['before', 'shard'],
    required: ['before'],
    files: [1, 1],
    run: (ledger, { before, shard = '0' }, [file = '']) => archiveTo(ledger, file, Number(before), shard, say),
  },
};

const NUMBERS = ['before', 'max-accounts'] as const;

/** The command line; undefined when it is not understood. */
const understand = (args: readonly string[]): { name: string; values: Values; files: string[] } | undefined => {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
    const [name = '', ...files] = positionals;
    const command: Omit<Command, 'run'> | undefined = name === 'check-proof' ? { options: ['heads'], files: [1, 1] } : COMMANDS[name];
    if (command === undefined || files.length < command.files[0] || files.length > command.files[1]) return undefined;
    const given = Object.keys(values) as (keyof typeof OPTIONS)[];
    if (given.some((option) => !command.options.includes(option)) || command.required?.some((option) => !given.includes(option)))
      return undefined;
    if (NUMBERS.some((option) => values[option] !== undefined && !/^[1-9][0-9]{0,14}$/.test(values[option]))) return undefined;
    return { name, values, files };
  } catch {
    return undefined;
  }
};

/** Exit code 0: done, and everything agrees. 1: something disagrees or failed. 2: not understood. */
const main = async (): Promise<number> => {
  const understood = understand(process.argv.slice(2));
  if (understood === undefined) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  const { name, values, files } = understood;
  const command = COMMANDS[name];
  if (command === undefined) {
    printProof(files[0] ?? '', values.heads, say);
    return 0;
  }
  // Not loaded for what needs no database: a mistake in the command line is to be reported at once.
  const { openLedger } = await import('./open-ledger.ts');
  const ledger = await openLedger();
  try {
    return (await command.run(ledger, values, files)) === false ? 1 : 0;
  } finally {
    await ledger.close();
  }
};

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    const code = error instanceof CommandError ? `${error.code}: ` : '';
    process.stderr.write(`ledger: ${code}${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
