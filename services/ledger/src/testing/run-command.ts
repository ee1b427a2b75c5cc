import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type Environment, processEnvironment } from '@florin/rpc/config';
import { runCommandLine } from '../cli/run-command-line.ts';

export type CommandRun = { code: number | null; signal: NodeJS.Signals | null; output: string };

const MAIN = fileURLToPath(new URL('../cli/main.ts', import.meta.url));
const KILLER = createRequire(import.meta.url).resolve('@florin/data/testing/kill-at-step');

/** Modules that were compiled before, by this run of the tests or an earlier one: most of what a command takes is its start. */
const { NODE_COMPILE_CACHE } = processEnvironment();
const COMPILED = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };

const run = (environment: Environment, args: readonly string[]): Promise<CommandRun> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      env: { PATH: '', ...COMPILED, ...(environment as Record<string, string>) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += String(chunk)));
    child.stderr.on('data', (chunk) => (output += String(chunk)));
    child.once('close', (code, signal) => resolve({ code, signal, output }));
  });

/** `npm run ledger -- …` in a process of its own. */
export const startCommand = (environment: Environment, ...args: string[]): Promise<CommandRun> => run(environment, [MAIN, ...args]);

/** The same in this process, which spares the start of another: most of what a command takes. */
export const runCommand = async (environment: Environment, ...args: string[]): Promise<Pick<CommandRun, 'code' | 'output'>> => {
  let output = '';
  const stream = { write: (text: string) => (output += text) };
  const code = await runCommandLine({ args, environment, out: stream, err: stream });
  return { code, output };
};

/** A process of its own, killed with SIGKILL just before its write number `step`; with 0 it runs to its end (`kill-at-step.ts`). */
export const killCommand = (environment: Environment, step: number, ...args: string[]): Promise<CommandRun> =>
  run({ ...environment, KILL_AT_STEP: String(step) }, ['--import', KILLER, MAIN, ...args]);

/** Number of writes that a command makes. */
export const countSteps = async (environment: Environment, ...args: string[]): Promise<number> => {
  const { output } = await killCommand(environment, 0, ...args);
  const steps = Number(/^steps ([0-9]+)$/m.exec(output)?.[1]);
  if (!(steps > 0)) throw new Error(`the command made no writes: ${output}`);
  return steps;
};
