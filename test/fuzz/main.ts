import { onPlatform } from '../bench/on-platform.ts';
import { fuzzOperations } from './fuzz.ts';
import { runSchemathesis } from './schemathesis.ts';
import { compareRecoverers } from './signatures.ts';

const CASES = 10_000;

const report = (line: string) => void process.stdout.write(`${line}\n`);

const fuzz = (cases: number, seed: number): Promise<boolean> =>
  onPlatform(report, async ({ urls: { gateway: url } }) => {
    report(`fuzz: ${cases} requests, seed ${seed}`);
    const { failure, statuses, operations } = await fuzzOperations(url, { cases, seed });
    const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
    report(`fuzz: ${operations.size} operations; ${counts.join(', ')}`);
    report(failure === undefined ? 'fuzz: every response is documented, and none is a fault' : `fuzz: FAILED\n${failure}`);
    return failure === undefined;
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
const seed = numberOf('--seed', Math.floor(Math.random() * 2 ** 31));

const RUNS: Readonly<Record<string, () => Promise<boolean>>> = {
  operations: () => fuzz(cases, seed),
  schemathesis: () => onPlatform(report, ({ urls }) => runSchemathesis(urls.gateway, report)),
  signatures: () => compareSignatures(cases),
};
const run = RUNS[name ?? ''];

if (run === undefined || !Number.isInteger(cases) || cases < 1 || !Number.isInteger(seed)) {
  process.stderr.write('usage: npm run fuzz -- [operations | schemathesis | signatures] [--cases N] [--seed N]\n');
  process.exitCode = 2;
} else {
  process.exitCode = (await run()) ? 0 : 1;
}
