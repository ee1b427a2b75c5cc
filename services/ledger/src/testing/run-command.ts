import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Environment } from '@florin/rpc/config';

export type CommandRun = { code: number | null; output: string };

/** `npm run ledger -- …` in a process of its own. */
export const runCommand = (environment: Environment, ...args: string[]): Promise<CommandRun> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [fileURLToPath(new URL('../cli/main.ts', import.meta.url)), ...args], {
      env: { PATH: '', ...(environment as Record<string, string>) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += String(chunk)));
    child.stderr.on('data', (chunk) => (output += String(chunk)));
    child.once('exit', (code) => resolve({ code, output }));
  });
