import { spawn } from 'node:child_process';

/** Runs a command until it ends. @returns its exit code, and its stdout and stderr in one text */
export const run = (command: string, args: readonly string[]): Promise<{ code: number; output: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collect = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
