import { run } from './run.ts';

type Step = readonly [name: string, command: string, ...args: string[]];

/** The packages of pages have settings of their own: they run in browsers. */
const typesOf = (name: string): Step => [
  `types of gateway/${name}`,
  'tsc',
  ...['--project', `gateway/${name}`, '--pretty', 'false', '--incremental'],
  ...['--tsBuildInfoFile', `node_modules/.cache/florin/${name.replace('/', '-')}-types.tsbuildinfo`],
];

/** The steps of `npm run check`: all checks besides the tests. The name of a step states what holds when it passes. */
const STEPS: readonly Step[] = [
  ['format, lint, import boundaries', 'biome', 'ci', '--colors=off', '--error-on-warnings', '.'],
  ['promises are handled', 'oxlint', '--type-aware', '--config', '.oxlintrc.json', '--deny-warnings'],
  ['types', 'tsc', '--pretty', 'false', '--incremental', '--tsBuildInfoFile', 'node_modules/.cache/florin/types.tsbuildinfo'],
  ...['ui', 'app', 'back-office/pages'].map((name) => typesOf(name)),
  ['contracts are documented and consistent', 'buf', 'lint'],
  ['contracts are formatted', 'buf', 'format', '--diff', '--exit-code'],
  ['contracts do not break their clients', 'buf', 'breaking', '--against', 'proto/baseline.binpb'],
  ['generated code and pages match their sources', 'node', 'scripts/generate.ts', '--check'],
  ['dependencies, exports and files are declared and used', 'knip', '--no-progress'],
  ['links in Markdown are valid', 'node', 'scripts/check-links.ts'],
  ['documentation names what exists, and all of it', 'node', 'scripts/check-names.ts'],
  ['source files are short', 'node', 'scripts/check-lengths.ts'],
  ['the manifests of a cluster build and keep their rules', 'node', 'scripts/check-deploy.ts'],
  ['dependencies are pinned, listed and without known vulnerabilities', 'node', 'scripts/check-dependencies.ts'],
];

/** Runs before the others, which would find its probes. */
const PROBING: Step = ['boundaries are enforced', 'node', 'scripts/check-boundaries.ts'];

/** Most steps keep one core busy. */
const AT_ONCE = 2;

let failed = 0;
const runStep = async ([name, command, ...args]: Step): Promise<void> => {
  const started = performance.now();
  const { code, output } = await run(command, args);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)\n`);
  if (code !== 0) {
    failed += 1;
    process.stdout.write(`${output.trimEnd()}\n`);
  } else {
    // A step prints a line for each check that it could not make.
    for (const line of output.split('\n')) if (line.startsWith('note: ')) process.stdout.write(`     ${line}\n`);
  }
};

await runStep(PROBING);
const waiting = STEPS.values();
const runWaiting = async (): Promise<void> => {
  for (const step of waiting) await runStep(step);
};
await Promise.all(Array.from({ length: AT_ONCE }, runWaiting));
process.exitCode = failed === 0 ? 0 : 1;
