import { processEnvironment } from '../environment.ts';
import { findCommand } from './command-path.ts';

type CommandLine = { command: string; args: readonly string[] };

/**
 * Makes the kernel send `signal` to the command when the launcher dies, even by SIGKILL. Uses util-linux's `setpriv`, which
 * replaces itself with the command, so it works on Linux only; elsewhere the next start stops the leftovers (`sweepLeftovers`).
 */
export const dieWithLauncher = (signal: NodeJS.Signals, { command, args }: CommandLine): CommandLine => {
  const setpriv = process.platform === 'linux' ? findCommand('setpriv', processEnvironment()) : undefined;
  if (setpriv === undefined) return { command, args };
  return { command: setpriv, args: ['--pdeathsig', signal.replace(/^SIG/, ''), '--', command, ...args] };
};
