import { join } from 'node:path';
import type { ProcessSpec } from './processes/process-spec.ts';
import { runStep } from './processes/run-step.ts';
import { type Report, reasonOf } from './report.ts';

const TIMEOUT_MS = 60_000;

/** Of the first operator, until there is a real one. Nothing is sent to it. */
const EMAIL = 'first-operator@example.org';

/** In a sandbox the first operator may look at everything; elsewhere the administrator invites those who may. */
const ROLES = { sandbox: ['viewer', 'support', 'compliance', 'finance', 'admin'], live: ['admin'] } as const;

/**
 * Makes the link by which the first operator of the back office enrols. It is printed and not logged, because who has it becomes an administrator.
 * @param process the back office, whose environment names its database
 * @returns undefined when there is an operator already, and when no link could be made, which is reported
 */
export const firstEnrolment = async (
  { command, cwd = '', env }: ProcessSpec,
  { sandbox, report, signal }: { sandbox: boolean; report: Report; signal?: AbortSignal },
): Promise<string | undefined> => {
  const roles = (sandbox ? ROLES.sandbox : ROLES.live).flatMap((role) => ['--role', role]);
  const args = [join(cwd, 'gateway/back-office/src/cli/main.ts'), 'first', EMAIL, ...roles];
  try {
    const step = { command, args, cwd, env: env ?? {}, timeoutMs: TIMEOUT_MS, ...(signal === undefined ? {} : { signal }) };
    const output = await runStep(step);
    return output.split('\n').find((line) => /^https?:\/\/\S+$/.test(line));
  } catch (error) {
    report(`no link for the first operator of the back office could be made: ${reasonOf(error)}`);
    return undefined;
  }
};
