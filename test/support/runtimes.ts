import { globSync } from 'node:fs';
import { nodeTools } from './node-tools.ts';

const RUNTIMES = { bun: '1.4.5', deno: '2.9.6' };

/** How a runtime starts a script: its program, and the arguments before the script's path. */
export type Runtime = { command: string; args: readonly string[] };

/** Names of the JavaScript runtimes that packages without dependencies are tried in. */
export const RUNTIME_NAMES = ['Node', 'Bun', 'Deno'] as const;

/** Finds the runtimes. One that cannot be installed is left out, after a line that says why. */
export const findRuntimes = async (report: (line: string) => void): Promise<ReadonlyMap<string, Runtime>> => {
  const tools = await nodeTools(RUNTIMES, report);
  const programs: readonly (readonly [name: string, command: string | undefined, args: readonly string[]])[] = [
    ['Node', process.execPath, []],
    ['Bun', tools && globSync(`${tools}/node_modules/@oven/*/bin/bun`)[0], ['run']],
    ['Deno', tools && globSync(`${tools}/node_modules/@deno/*/deno`)[0], ['run', '--allow-net']],
  ];
  return new Map(programs.flatMap(([name, command, args]) => (command === undefined ? [] : [[name, { command, args }]])));
};
