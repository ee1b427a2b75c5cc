import { parseArgs } from 'node:util';
import type { Environment } from '@florin/rpc/config';
import { CommandError } from './command-error.ts';
import { archiveTo, exportTo, importFrom } from './files.ts';
import type { OpenLedger } from './open-ledger.ts';
import type { ProgressStream } from './progress-bar.ts';
import { printProof, printReserves, prove, snapshot } from './proofs.ts';
import { rebuild } from './rebuild.ts';
import { verify } from './verify.ts';

const USAGE = `usage: npm run ledger -- <command>
  verify [--heads FILE] [--json] [--max-accounts N]
  rebuild
  snapshot [--shard S] [--block N]
  prove --account ID FILE
  check-proof FILE [--heads FILE]
  check-reserves FILE [--heads FILE] [--treasury ADDRESS] [--token SYMBOL=CONTRACT]... [--other-chain SYMBOL]... [--max-age HOURS]
  export FILE
  import [--heads FILE] [--without-heads] FILE...
  archive --before BLOCK [--shard S] FILE`;

const OPTIONS = {
  heads: { type: 'string' },
  json: { type: 'boolean' },
  'max-accounts': { type: 'string' },
  shard: { type: 'string' },
  block: { type: 'string' },
  account: { type: 'string' },
  before: { type: 'string' },
  treasury: { type: 'string' },
  token: { type: 'string', multiple: true },
  'other-chain': { type: 'string', multiple: true },
  'max-age': { type: 'string' },
  'without-heads': { type: 'boolean' },
} as const;

type Say = (line: string) => void;
type Values = { [K in keyof typeof OPTIONS]?: ValueOf<(typeof OPTIONS)[K]> };
type ValueOf<T> = T extends { multiple: true } ? string[] : T extends { type: 'boolean' } ? boolean : string;

/** The options and the work of a command. `run` returns whether everything is right. */
type Command = {
  options: readonly (keyof typeof OPTIONS)[];
  required?: readonly (keyof typeof OPTIONS)[];
  files: readonly [least: number, most: number];
  run: (ledger: OpenLedger, values: Values, files: readonly string[], say: Say) => Promise<unknown>;
};

const COMMANDS: Readonly<Record<string, Command>> = {
  verify: {
    options: ['heads', 'json', 'max-accounts'],
    files: [0, 0],
    run: (ledger, { heads, json = false, 'max-accounts': most }, _files, say) =>
      verify(ledger, { heads, json, ...(most === undefined ? {} : { maxAccounts: Number(most) }) }, say),
  },
  rebuild: { options: [], files: [0, 0], run: (ledger, _values, _files, say) => rebuild(ledger, say) },
  snapshot: {
    options: ['shard', 'block'],
    files: [0, 0],
    run: (ledger, { shard, block }, _files, say) =>
      snapshot(ledger, shard === undefined ? ledger.shards : [shard], say, block === undefined ? undefined : Number(block)),
  },
  prove: {
    options: ['account'],
    required: ['account'],
    files: [1, 1],
    run: (ledger, { account = '' }, [file = ''], say) => prove(ledger, account, file, say),
  },
  export: { options: [], files: [1, 1], run: (ledger, _values, [file = ''], say) => exportTo(ledger, file, say) },
  import: {
    options: ['heads', 'without-heads'],
    files: [1, Number.POSITIVE_INFINITY],
    run: (ledger, { heads, 'without-heads': withoutHeads = false }, paths, say) => importFrom(ledger, { paths, heads, withoutHeads }, say),
  },
  archive: {
    options: ['before', 'shard'],
    required: ['before'],
    files: [1, 1],
    run: (ledger, { before, shard = '0' }, [file = ''], say) => archiveTo(ledger, file, Number(before), shard, say),
  },
};

const NUMBERS = ['before', 'block', 'max-accounts', 'max-age'] as const;

/** Commands that need no database. @returns whether everything is right */
const OFFLINE: Readonly<Record<string, { options: Command['options']; run: (file: string, values: Values, say: Say) => boolean }>> = {
  'check-proof': {
    options: ['heads'],
    run: (file, { heads }, say) => {
      printProof(file, heads, say);
      return true;
    },
  },
  'check-reserves': {
    options: ['heads', 'treasury', 'token', 'other-chain', 'max-age'],
    run: (file, { heads, treasury, token, 'other-chain': elsewhere, 'max-age': hours }, say) =>
      printReserves(
        file,
        { heads, treasury, tokens: token, elsewhere, ...(hours === undefined ? {} : { maxAgeHours: Number(hours) }) },
        say,
      ),
  },
};

/** The command line; undefined when it is not understood. */
const understand = (args: readonly string[]): { name: string; values: Values; files: string[] } | undefined => {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
    const [name = '', ...files] = positionals;
    const command: Omit<Command, 'run'> | undefined = OFFLINE[name] ? { options: OFFLINE[name].options, files: [1, 1] } : COMMANDS[name];
    if (command === undefined || files.length < command.files[0] || files.length > command.files[1]) return undefined;
    const given = Object.keys(values) as (keyof typeof OPTIONS)[];
    if (given.some((option) => !command.options.includes(option)) || command.required?.some((option) => !given.includes(option)))
      return undefined;
    if (values.token?.some((text) => !/^[^=]{1,64}=0x[0-9a-fA-F]{40}$/.test(text))) return undefined;
    if (NUMBERS.some((option) => values[option] !== undefined && !/^[1-9][0-9]{0,14}$/.test(values[option]))) return undefined;
    return { name, values, files };
  } catch {
    return undefined;
  }
};

export type CommandLine = {
  args: readonly string[];
  environment: Environment;
  /** Where results go, and where progress and errors go. */
  out: { write: (text: string) => unknown };
  err: ProgressStream;
};

const runUnderstood = async ({ args, environment, out, err }: CommandLine): Promise<number> => {
  const say = (line: string): void => void out.write(`${line}\n`);
  const understood = understand(args);
  if (understood === undefined) {
    err.write(`${USAGE}\n`);
    return 2;
  }
  const { name, values, files } = understood;
  const offline = OFFLINE[name];
  if (offline !== undefined) return offline.run(files[0] ?? '', values, say) ? 0 : 1;
  const command = COMMANDS[name];
  if (command === undefined) throw new Error(`the command ${name} does nothing`);
  // Not loaded for what needs no database: a mistake in the command line is to be reported at once.
  const { openLedger } = await import('./open-ledger.ts');
  const ledger = await openLedger(environment, err);
  try {
    return (await command.run(ledger, values, files, say)) === false ? 1 : 0;
  } finally {
    await ledger.close();
  }
};

/** Runs `npm run ledger -- …`. @returns exit code 0: done, and everything agrees. 1: something disagrees or failed. 2: not understood */
export const runCommandLine = async (line: CommandLine): Promise<number> => {
  try {
    return await runUnderstood(line);
  } catch (error) {
    const code = error instanceof CommandError ? `${error.code}: ` : '';
    line.err.write(`ledger: ${code}${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
};
