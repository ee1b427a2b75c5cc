import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runStep, StepError } from '@florin/local';
import { processEnvironment } from '@florin/rpc/config';
import { createApiClient } from '../support/api-client.ts';
import { pythonTools } from '../support/python.ts';
import { createCard, registerPerson } from '../support/story.ts';
import { BUSINESS_RULES, COMMON_RULE } from './business-rules.ts';

const REQUIREMENT = 'schemathesis==4.32.0';
const EXAMPLES = 40;
const RUN_MS = 30 * 60_000;

/** Operations that end the session of the only token, or that do not end. */
const LEFT_OUT = ['logout', 'logoutAll', 'endSession', 'watchChallenges', 'watchEvents', 'watchUserEvents'];

/**
 * Runs schemathesis over the document of a running sandbox: every status, header, media type, schema and authentication that it can
 * check. Its own check that allowed requests succeed is replaced by one that knows the business rules.
 * @returns whether it ran and found nothing
 */
export const runSchemathesis = async (url: string, report: (line: string) => void): Promise<boolean> => {
  const programs = await pythonTools([REQUIREMENT], report);
  if (programs === undefined) {
    report('schemathesis: did not run');
    return false;
  }
  const api = createApiClient(url);
  const { token } = await registerPerson(api);
  await createCard(api, token);
  const directory = await mkdtemp(join(tmpdir(), 'florin-schemathesis-'));
  const { PATH, HOME } = processEnvironment();
  try {
    const output = await runStep({
      command: join(programs, 'schemathesis'),
      args: [
        'run',
        `${url}/openapi.json`,
        ...['--header', `Authorization: Bearer ${token}`],
        ...['--phases', 'examples,coverage,fuzzing'],
        ...['--max-examples', String(EXAMPLES)],
        ...['--seed', '1'],
        ...['--exclude-checks', 'positive_data_acceptance'],
        ...LEFT_OUT.flatMap((name) => ['--exclude-operation-id', name]),
        '--continue-on-failure',
        '--no-color',
        ...['--suppress-health-check', 'all'],
        ...['--warnings', 'off'],
      ],
      env: {
        PATH,
        HOME,
        PYTHONPATH: import.meta.dirname,
        SCHEMATHESIS_HOOKS: 'schemathesis_checks',
        BUSINESS_RULES: JSON.stringify(BUSINESS_RULES),
        // It does not know `x-pattern`, which says which texts are printable and which addresses are accepted.
        COMMON_RULE: `${COMMON_RULE}|: must be .*(?:printable|e-mail address)`,
      },
      cwd: directory,
      timeoutMs: RUN_MS,
    });
    report(output);
    return true;
  } catch (error) {
    report(error instanceof StepError ? error.output : String(error));
    return false;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};
