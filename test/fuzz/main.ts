import { onPlatform } from '../bench/on-platform.ts';
import { type FuzzedOperation, fuzzOperations } from './fuzz.ts';
import { runSchemathesis } from './schemathesis.ts';
import { compareRecoverers } from './signatures.ts';

/** Requests for each operation; pairs of signatures. */
const CASES = 10_000;

const report = (line: string) => void process.stdout.write(`${line}\n`);

const fuzz = (cases: number, seed: number, only: string | undefined): Promise<boolean> =>
  onPlatform(report, async ({ urls: { gateway: url } }) => {
    report(`fuzz: ${cases} requests for ${only ?? 'each operation'}, seed ${seed}`);
    const onOperation = ({ operationId, cases: ran, statuses, failure }: FuzzedOperation) => {
      const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
      report(`${operationId}: ${ran} cases; ${counts.join(', ')}${failure === undefined ? '' : `; FAILED\n${failure}`}`);
    };
    const fuzzed = await fuzzOperations(url, { cases, seed, onOperation, ...(only === undefined ? {} : { only }) });
    const failed = fuzzed.filter(({ failure }) => failure !== undefined).length;
    const total = fuzzed.reduce((sum, one) => sum + one.cases, 0);
    report(
      `fuzz: ${fuzzed.length} operations, ${total} cases, seed ${seed}; ${failed === 0 ? 'every response is documented, and none is a fault' : `${failed} FAILED`}`,
    );
    return fuzzed.length > 0 && failed === 0;
  });

const compareSignatures = async (count: number): Promise<boolean> => {
  const { failure, compared, recovered } = await compareRecoverers(count);
  report(
    failure === undefined ? `fuzz: three libraries agree on ${compared} signatures, ${recovered} with a key` : `fuzz: FAILED\n${failure}`,
  );
  return failure === undefined;
};

const args = process.argv.slice(2);
const name = args[0]?.startsWith('--') === false ? args.shift() : 'operations';
const numberOf = (flag: string, otherwise: number): number => (args.includes(flag) ? Number(args[args.indexOf(flag) + 1]) : otherwise);
const cases = numberOf('--cases', CASES);
const only = args.includes('--operation') ? args[args.indexOf('--operation') + 1] : undefined;
const seed = numberOf('--seed', Math.floor(Math.random() * 2 ** 31));

const RUNS: Readonly<Record<string, () => Promise<boolean>>> = {
  operations: () => fuzz(cases, seed, only),
  schemathesis: () => onPlatform(report, ({ urls }) => runSchemathesis(urls.gateway, report)),
  signatures: () => compareSignatures(cases),
};
const run = RUNS[name ?? ''];

if (run === undefined || !Number.isInteger(cases) || cases < 1 || !Number.isInteger(seed)) {
  process.stderr.write('usage: npm run fuzz -- [operations | schemathesis | signatures] [--cases N] [--seed N] [--operation ID]\n');
  process.exitCode = 2;
} else {
  process.exitCode = (await run()) ? 0 : 1;
}
