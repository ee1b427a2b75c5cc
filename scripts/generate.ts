import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { run } from './run.ts';

const COMMITTED = 'proto/gen';

/** Generates the contracts' code: `npm run generate`. With `--check` it only says whether what is committed is what would be generated. */
const generateInto = async (directory: string): Promise<void> => {
  // buf puts a plugin's `out` below `--output`.
  const { code, output } = await run('buf', ['generate', '--output', directory]);
  if (code !== 0) throw new Error(output);
};

const readTree = async (root: string): Promise<Map<string, string>> => {
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
    const [fresh, committed] = await Promise.all([readTree(join(directory, COMMITTED)), readTree(COMMITTED)]);
    return [...new Set([...fresh.keys(), ...committed.keys()])].filter((path) => fresh.get(path) !== committed.get(path)).sort();
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};

if (process.argv.includes('--check')) {
  const drift = await findDrift();
  for (const path of drift) process.stderr.write(`${COMMITTED}/${path} is not what its contract generates; run: npm run generate\n`);
  process.exitCode = drift.length === 0 ? 0 : 1;
} else {
  await generateInto('.');
}
