import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { run } from './run.ts';
import { findMissedRelease } from './runtime-age.ts';

/**
 * Checks the dependencies of the lockfile: npm is pinned, every package comes from a registry and has a hash, the bill of
 * materials (CycloneDX, `npm run sbom`) lists exactly the packages of the lockfile, and, when the registry offers these services, no package
 * has a known vulnerability (`npm audit`) or an invalid signature (`npm audit signatures`), and the pinned Node.js has missed no release for more
 * than 90 days.
 */

type LockEntry = { version?: string; resolved?: string; integrity?: string; link?: boolean; inBundle?: boolean; name?: string };
type Component = {
  name: string;
  version: string;
  purl?: string;
  hashes?: { alg: string; content: string }[];
  components?: Component[];
};

const NODE_MODULES = 'node_modules/';
/** Flags that bound the time that the check waits for a registry. */
const BOUNDED = ['--fetch-timeout=8000', '--fetch-retries=0'];

const nameOf = (path: string, { name }: LockEntry): string => name ?? path.slice(path.lastIndexOf(NODE_MODULES) + NODE_MODULES.length);

const readJson = async <T>(path: string): Promise<T> => JSON.parse(await readFile(path, 'utf8')) as T;

/** Text from the first brace on: npm may print warnings before its JSON. */
const jsonIn = (output: string): string => output.slice(Math.max(0, output.indexOf('{')), output.lastIndexOf('}') + 1);

type Lock = {
  locked: ReadonlyMap<string, LockEntry> /** The project's own packages, which npm names by their directories. */;
  workspaces: ReadonlySet<string>;
};

const readLock = async (problems: string[]): Promise<Lock> => {
  const { packages } = await readJson<{ packages: Record<string, LockEntry> }>('package-lock.json');
  const locked = new Map<string, LockEntry>();
  const workspaces = new Set<string>();
  for (const [path, entry] of Object.entries(packages)) {
    if (!path.includes(NODE_MODULES)) workspaces.add(`${basename(path)}@${entry.version ?? ''}`);
    if (!path.includes(NODE_MODULES) || entry.link === true) continue;
    const id = `${nameOf(path, entry)}@${entry.version ?? ''}`;
    locked.set(id, entry);
    if (entry.inBundle === true) continue;
    // Without the field it comes from the configured registry.
    if (!(entry.resolved ?? 'https://').startsWith('https://')) problems.push(`${id}: comes from another source than a registry`);
    if (!(entry.integrity ?? '').startsWith('sha512-')) problems.push(`${id}: has no sha512 hash in the lockfile`);
  }
  return { locked, workspaces };
};

const flatten = (components: readonly Component[]): Component[] =>
  components.flatMap((component) => [component, ...flatten(component.components ?? [])]);

const checkBill = async ({ locked, workspaces }: Lock, problems: string[]): Promise<void> => {
  const { code, output } = await run('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']);
  if (code !== 0) {
    problems.push(`npm sbom failed: ${output.trim()}`);
    return;
  }
  const bill = JSON.parse(jsonIn(output)) as { bomFormat?: string; specVersion?: string; components?: Component[] };
  if (bill.bomFormat !== 'CycloneDX' || bill.specVersion === undefined) problems.push('the bill of materials is not a CycloneDX document');
  const listed = new Map(flatten(bill.components ?? []).map((component) => [`${component.name}@${component.version}`, component]));
  for (const [id, { integrity }] of locked) {
    const component = listed.get(id);
    if (component === undefined) problems.push(`${id}: is missing from the bill of materials`);
    else if (component.purl === undefined) problems.push(`${id}: has no package URL in the bill of materials`);
    else if (integrity !== undefined) {
      const hash = Buffer.from(integrity.split('-')[1] ?? '', 'base64').toString('hex');
      if (component.hashes?.every(({ content }) => content !== hash) === true)
        problems.push(`${id}: has another hash in the bill of materials`);
    }
  }
  for (const id of listed.keys()) {
    if (!locked.has(id) && !workspaces.has(id)) problems.push(`${id}: is in the bill of materials and not in the lockfile`);
  }
};

/** Runs `npm audit`. @returns a note when the registry does not offer the service */
const checkAdvisories = async (problems: string[]): Promise<string | undefined> => {
  const { output } = await run('npm', ['audit', '--json', '--package-lock-only', ...BOUNDED]);
  const report = JSON.parse(jsonIn(output) || '{}') as {
    metadata?: { vulnerabilities?: Record<string, number> };
    vulnerabilities?: Record<string, { severity: string }>;
  };
  if (report.metadata?.vulnerabilities === undefined)
    return 'note: the registry did not answer npm audit; known vulnerabilities were not checked';
  for (const [name, { severity }] of Object.entries(report.vulnerabilities ?? {})) {
    if (severity === 'moderate' || severity === 'high' || severity === 'critical')
      problems.push(`${name}: has a known vulnerability of severity ${severity}`);
  }
  return undefined;
};

/** Runs `npm audit signatures`. @returns a note when the registry does not publish its keys */
const checkSignatures = async (problems: string[]): Promise<string | undefined> => {
  const { output } = await run('npm', ['audit', 'signatures', '--json', ...BOUNDED]);
  try {
    const { invalid, missing } = JSON.parse(jsonIn(output)) as { invalid?: { name: string; version: string }[]; missing?: object[] };
    if (invalid !== undefined && missing !== undefined) {
      for (const { name, version } of invalid) problems.push(`${name}@${version}: has an invalid signature`);
      return undefined;
    }
  } catch {
    // Not a report.
  }
  return 'note: the registry did not answer npm audit signatures; signatures were not checked';
};

/** Compares the pinned Node.js with the releases of its major version. @returns a note when the registry does not tell when they were published */
const checkRuntime = async (pinned: string, problems: string[]): Promise<string | undefined> => {
  const { output } = await run('npm', ['view', 'node', 'time', '--json', ...BOUNDED]);
  let published: Record<string, string> = {};
  try {
    published = JSON.parse(jsonIn(output)) as Record<string, string>;
  } catch {
    // Not a report.
  }
  if (published[pinned] === undefined) return 'note: the registry did not answer npm view; the age of Node.js was not checked';
  const missed = findMissedRelease(pinned, published, new Date());
  if (missed !== undefined)
    problems.push(`node@${pinned}: ${missed} has been in the registry for more than 90 days; pin a current release`);
  return undefined;
};

const problems: string[] = [];
const { packageManager = '', devDependencies = {} } = await readJson<{ packageManager?: string; devDependencies?: Record<string, string> }>(
  'package.json',
);
if (!/^npm@\d+\.\d+\.\d+$/.test(packageManager)) problems.push('package.json: packageManager must name an exact version of npm');
const lock = await readLock(problems);
const [, advisories, age] = await Promise.all([
  checkBill(lock, problems),
  checkAdvisories(problems),
  checkRuntime(devDependencies['node'] ?? '', problems),
]);
// Signatures are fetched package by package: not from a registry that has not answered.
const signatures = advisories === undefined ? await checkSignatures(problems) : 'note: signatures of packages were not checked';
for (const note of [advisories, signatures, age]) if (note !== undefined) process.stdout.write(`${note}\n`);
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
