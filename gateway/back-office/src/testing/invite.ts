import type { Environment } from '@florin/rpc/config';
import { runCommandLine } from '../cli/run-command-line.ts';
import type { Role } from '../contract/index.ts';

/** Invites a person at the command line. @returns the link */
export const inviteOperator = async (environment: Environment, email: string, roles: readonly Role[]): Promise<string> => {
  const lines: string[] = [];
  const output = { out: (line: string) => void lines.push(line), error: (line: string) => void lines.push(line) };
  const code = await runCommandLine(['invite', email, ...roles.flatMap((role) => ['--role', role])], environment, output);
  if (code !== 0) throw new Error(lines.join('\n'));
  return lines.join('');
};
