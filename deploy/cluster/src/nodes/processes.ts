import { spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Starts programs of the cluster; their output goes to files in one directory. */
export type Processes = {
  /** @returns its pid */
  start: (name: string, command: readonly [string, ...string[]], env: NodeJS.ProcessEnv) => number;
  /** Says which program has ended, and with what last line. @throws Error when one has */
  check: () => void;
};

export const createProcesses = (logs: string): Processes => {
  const ended: string[] = [];
  return {
    start: (name, [command, ...args], env) => {
      const file = join(logs, `${name}.log`);
      const output = openSync(file, 'a');
      const child = spawn(command, args, { env, stdio: ['ignore', output, output] });
      child.once('error', (error) => ended.push(`${name} cannot be run: ${error.message}`));
      child.once('exit', (code, signal) => {
        const last = readFileSync(file, 'utf8').trim().split('\n').at(-1) ?? '';
        ended.push(`${name} ended (${signal ?? code}): ${last.slice(0, 400)}`);
      });
      return child.pid ?? 0;
    },
    check: () => {
      if (ended.length > 0) throw new Error(ended.join('; '));
    },
  };
};
