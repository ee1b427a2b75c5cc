import { processEnvironment } from '../environment.ts';
import { findCommand } from './command-path.ts';

type CommandLine = { command: string; args: readonly string[] };

/**
 * Has the kernel send `signal` to the command when the launcher dies, however it dies. Linux only, by util-linux's
 * `setpriv`, which replaces itself by the command; elsewhere the next start ends what was left (`sweepLeftovers`).
 */
export function dieWithLauncher(signal: NodeJS.Signals, { command, args }: CommandLine): CommandLine {
  const setpriv = process.platform === 'linux' ? findCommand('setpriv', processEnvironment()) : undefined;
  if (setpriv === undefined) return { command, args };
  return { command: setpriv, args: ['--pdeathsig', signal.replace(/^SIG/, ''), '--', command, ...args] };
}
