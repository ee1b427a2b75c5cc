import { lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { LEAVE_PAGE, leavePage } from './client/leave-page.ts';
import { CLIENT_DIRECTORY, clientFiles, GO_FILES, PYTHON_DIRECTORY } from './client/render.ts';
import { validateProto } from './contracts/validate-proto.ts';
import { observabilityFiles } from './observability/render.ts';
import { configurationPage } from './reference/configuration-page.ts';
import { errorsPage } from './reference/errors-page.ts';
import { mongodbRolesFile, mongodbRolesPatch } from './reference/mongodb-roles-file.ts';
import { redisUsersFile } from './reference/redis-users-file.ts';
import { responseCodesPage } from './reference/response-codes-page.ts';
import { rpcsPage } from './reference/rpcs-page.ts';
import { scopesPage } from './reference/scopes-page.ts';
import { webhookTypes } from './reference/webhook-types.ts';
import { run } from './run.ts';

/**
 * Generates the contracts' code, the reference pages, the types of webhooks, the types and calls of the client, the page for leaving without the platform, and the rules and dashboards of deploy/observability: `npm run generate`. With `--check` it changes nothing and reports the files
 * that differ from the committed ones.
 */
const COMMITTED = [
  'proto/buf',
  'proto/gen',
  'docs/reference',
  'deploy/observability/generated',
  'deploy/k8s/components/engines-mongodb/generated',
  'gateway/webhooks/src/generated',
  CLIENT_DIRECTORY,
  PYTHON_DIRECTORY,
  ...GO_FILES,
  LEAVE_PAGE,
];

type Pages = Readonly<Record<string, () => Promise<string> | string>>;

/** The inputs of buf besides the contracts. */
const IMPORTED: Pages = { 'proto/buf/validate/validate.proto': validateProto };

const PAGES: Pages = {
  'docs/reference/configuration.md': configurationPage,
  'docs/reference/errors.md': errorsPage,
  'docs/reference/mongodb-roles.jsonl': mongodbRolesFile,
  'docs/reference/redis-users.acl': redisUsersFile,
  'deploy/k8s/components/engines-mongodb/generated/roles.yaml': mongodbRolesPatch,
  'docs/reference/response-codes.md': responseCodesPage,
  'docs/reference/rpcs.md': rpcsPage,
  'docs/reference/scopes.md': scopesPage,
  'gateway/webhooks/src/generated/event-data.ts': webhookTypes,
  [LEAVE_PAGE]: leavePage,
  ...Object.fromEntries(Object.entries({ ...observabilityFiles(), ...clientFiles() }).map(([path, text]) => [path, () => text])),
};

const writePages = async (directory: string, pages: Pages): Promise<void> => {
  for (const [path, page] of Object.entries(pages)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), await page());
  }
};

const generateInto = async (directory: string): Promise<void> => {
  await writePages(directory, IMPORTED);
  // buf resolves the `out` paths of its plugins relative to `--output`.
  const { code, output } = await run('buf', ['generate', '--output', directory]);
  if (code !== 0) throw new Error(output);
  await writePages(directory, PAGES);
};

/** The contents of the files in a directory by path, or of a file. */
const readTree = async (root: string): Promise<Map<string, string>> => {
  if (!(await lstat(root)).isDirectory()) return new Map([['', await readFile(root, 'utf8')]]);
  const files = (await readdir(root, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const contents = files.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    return [relative(root, path), await readFile(path, 'utf8')] as const;
  });
  return new Map(await Promise.all(contents));
};

const findDrift = async (): Promise<string[]> => {
  const directory = await mkdtemp(join(tmpdir(), 'florin-generate-'));
  try {
    await generateInto(directory);
    const drift = COMMITTED.map(async (root) => {
      const [fresh, committed] = await Promise.all([readTree(join(directory, root)), readTree(root)]);
      const paths = new Set([...fresh.keys(), ...committed.keys()]);
      return [...paths].filter((path) => fresh.get(path) !== committed.get(path)).map((path) => join(root, path));
    });
    return (await Promise.all(drift)).flat().sort();
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};

if (process.argv.includes('--check')) {
  const drift = await findDrift();
  for (const path of drift) process.stderr.write(`${path} is not what its sources generate; run: npm run generate\n`);
  process.exitCode = drift.length === 0 ? 0 : 1;
} else {
  await generateInto('.');
}
