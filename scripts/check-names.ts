import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { run } from './run.ts';

/**
 * Checks that the project's Markdown and the project name the same things: files and npm scripts that a page names exist, README.md and
 * docs/commands.md list every npm script, the README of a service lists every folder of that service, and that of the kit every module of its packages. The changelog
 * may name what is gone.
 */
const FENCE = /^(```|~~~)[\s\S]*?^\1/gm;
const CODE = /`([^`\n]+)`/g;
const FILE = /^[\w./-]*\w\.(?:tsx?|proto|sh|go|py)$/;
const SCRIPT = /\bnpm run (?:--silent )?([a-z0-9][\w:-]*)(?: -w ([\w/-]+))?/g;

/** Folders that mean the same in every service, which README.md explains. */
const COMMON_FOLDERS: ReadonlySet<string> = new Set(['handlers', 'domain', 'store', 'clients', 'ports', 'testing']);

const tracked = async (...patterns: string[]): Promise<string[]> => {
  const { output } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns]);
  return output.split('\n').filter((path) => path !== '' && existsSync(path));
};

/** Returns the part of a page under the heading of the second level that begins so, up to the next one; empty when there is no such heading. */
const section = (page: string, heading: string): string => {
  const [, after] = `\n${page}`.split(`\n## ${heading}`);
  return after?.split(/\n## /)[0] ?? '';
};

const codeSpans = (text: string): string[] => [...text.matchAll(CODE)].map(([, code = '']) => code);

const missingFiles = (page: string, text: string, files: readonly string[]): string[] => {
  const names = codeSpans(text.replace(FENCE, '')).filter((code) => FILE.test(code) && !code.startsWith('/'));
  const gone = names.filter((name) => !existsSync(join(dirname(page), name)) && !files.some((file) => `/${file}`.endsWith(`/${name}`)));
  return gone.map((name) => `${page}: there is no file ${name}`);
};

/** @returns the names of the npm scripts of a workspace, or of the project itself */
const scriptsOf = async (workspace: string): Promise<string[]> => {
  const path = join(workspace, 'package.json');
  return existsSync(path) ? Object.keys(JSON.parse(await readFile(path, 'utf8')).scripts ?? {}) : [];
};

const missingScripts = async (page: string, text: string): Promise<string[]> => {
  const problems: string[] = [];
  for (const [, name = '', workspace = '.'] of text.matchAll(SCRIPT))
    if (!(await scriptsOf(workspace)).includes(name)) problems.push(`${page}: ${workspace} has no npm script ${name}`);
  return problems;
};

const listedIn = (table: string): string[] => (table.match(/^\| `[^|]*/gm) ?? []).flatMap(codeSpans).map((name) => name.replace(/\/$/, ''));

/** @returns the names that a table does not list, and those that it lists although `directory` does not have them */
const problemsOfTable = (page: string, table: string, directory: string, names: readonly string[], exists: (name: string) => boolean) => {
  const listed = listedIn(table);
  return [
    ...names.filter((name) => !listed.includes(name)).map((name) => `${page}: ${name} of ${directory} is missing`),
    ...listed.filter((name) => !exists(name)).map((name) => `${page}: ${directory} has no ${name}`),
  ];
};

/** @returns the problems of the table of folders of a service, which lists those that not every service has */
const problemsOfFolders = (page: string, table: string, directory: string): string[] => {
  const entries = readdirSync(directory, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory() && !COMMON_FOLDERS.has(entry.name)).map(({ name }) => name);
  return problemsOfTable(page, table, directory, folders, (name) => existsSync(join(directory, name)));
};

/** @returns what the README of a service does not say, or says of a folder that does not exist */
const problemsOfService = async (service: string): Promise<string[]> => {
  const page = `services/${service}/README.md`;
  const text = await readFile(page, 'utf8');
  return problemsOfFolders(page, section(text, 'Folders'), `services/${service}/src`);
};

/** @returns the problems of the kit's README, which lists every module of its packages: a file, or a folder with an index */
const problemsOfKit = async (): Promise<string[]> => {
  const page = 'services/kit/README.md';
  const text = await readFile(page, 'utf8');
  const packages = readdirSync('services/kit', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return packages.flatMap(({ name }) => {
    const directory = `services/kit/${name}/src`;
    const modules = readdirSync(directory).flatMap((entry) => /^(\w[\w-]*)(?:\.ts)?$/.exec(entry)?.[1] ?? []);
    return problemsOfTable(page, section(text, `\`@florin/${name}\``), directory, modules, (module) => modules.includes(module));
  });
};

const files = await tracked();
const pages = files.filter((path) => path.endsWith('.md') && path !== 'CHANGELOG.md');
const services = files.flatMap((path) => /^services\/(\w+)\/README\.md$/.exec(path)?.[1] ?? []).filter((name) => name !== 'kit');
if (pages.length === 0 || services.length === 0) throw new Error('no Markdown was found');

const ofPages = await Promise.all(
  pages.map(async (page) => {
    const text = await readFile(page, 'utf8');
    return [...missingFiles(page, text, files), ...(await missingScripts(page, text))];
  }),
);
const lists = await Promise.all(['README.md', 'docs/commands.md'].map((page) => readFile(page, 'utf8')));
const named = new Set([...lists.join('\n').matchAll(/\bnpm (?:run )?([a-z0-9][\w:-]*)/g)].map(([, name]) => name));
const unlisted = (await scriptsOf('.')).filter((name) => !named.has(name));
const problems = [
  ...ofPages.flat(),
  ...unlisted.map((name) => `docs/commands.md: the npm script ${name} is missing`),
  ...(await Promise.all(services.map(problemsOfService))).flat(),
  ...(await problemsOfKit()),
];
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
