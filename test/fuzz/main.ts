import { onPlatform } from '../bench/on-platform.ts';
import { fuzzOperations } from './fuzz.ts';
import { runSchemathesis } from './schemathesis.ts';

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

const [name, ...rest] = process.argv.slice(2);
const options = name === 'schemathesis' ? rest : process.argv.slice(2);
const numberOf = (flag: string, otherwise: number): number =>
  options.includes(flag) ? Number(options[options.indexOf(flag) + 1]) : otherwise;
const cases = numberOf('--cases', CASES);
const seed = numberOf('--seed', Math.floor(Math.random() * 2 ** 31));

if (
  !Number.isInteger(cases) ||
  cases < 1 ||
  !Number.isInteger(seed) ||
  (name !== undefined && !name.startsWith('--') && name !== 'schemathesis')
) {
  process.stderr.write('usage: npm run fuzz -- [schemathesis] [--cases N] [--seed N]\n');
  process.exitCode = 2;
} else {
  const isClean =
    name === 'schemathesis' ? await onPlatform(report, ({ urls }) => runSchemathesis(urls.gateway, report)) : await fuzz(cases, seed);
  process.exitCode = isClean ? 0 : 1;
}
