import { globSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';

/** The programs of containers, and those beside a ledger. */
const ENTRIES = [
  'gateway/src/main.ts',
  'gateway/back-office/src/{main,migrate}.ts',
  'gateway/back-office/src/cli/main.ts',
  'services/*/src/main.ts',
  'services/*/src/webhooks/main.ts',
  'services/*/src/migrate.ts',
  'services/*/src/cli/main.ts',
  'services/kit/data/src/audit/cli/main.ts',
];

/** Packages that are loaded from their own directories: native and WebAssembly parts, and files that the gateway serves. */
const UNBUNDLED = ['secp256k1', 'tiny-secp256k1', 'swagger-ui-dist'];

/** Modules that drivers load if they are installed. They are not. */
const OPTIONAL = /^(?:@aws-sdk|@mongodb-js\/zstd|aws4|gcp-metadata|kerberos|mongodb-client-encryption|snappy|socks)(?:\/|$)/;

/** Stands for the root directory in a module, until it is known in which file the module ends up. */
const ROOT_URL = '__FLORIN_ROOT_URL__';

/** Keeps the place of a module in the repository: the files that it names relative to itself are found from there. */
const keepPlaces = (rootDir: string): Plugin => ({
  name: 'keep-places',
  transform: (code, id) => {
    if (!id.startsWith(rootDir) || id.includes('/node_modules/') || !code.includes('import.meta.')) return null;
    const file = relative(rootDir, id).replace(/\.ts$/, '.js');
    const at = (path: string): string => `new URL(${JSON.stringify(path)}, ${ROOT_URL})`;
    return code.replaceAll('import.meta.dirname', `${at(dirname(file))}.pathname`).replaceAll('import.meta.url', `${at(file)}.href`);
  },
  renderChunk: (code, { fileName }) =>
    code.replaceAll(ROOT_URL, `new URL(${JSON.stringify('../'.repeat(fileName.split('/').length - 1) || './')}, import.meta.url)`),
});

/**
 * Bundles the processes: JavaScript in the place of each entry, and what they share in `chunks`. A process then reads a few files at its start instead of two
 * thousand, and has no types to strip.
 * @returns the paths of the written files, relative to `outDir`
 */
export const bundle = async (rootDir: string, outDir: string): Promise<string[]> => {
  const entries = ENTRIES.flatMap((pattern) => globSync(pattern, { cwd: rootDir })).sort();
  const build = await rolldown({
    cwd: rootDir,
    input: Object.fromEntries(entries.map((entry) => [entry.replace(/\.ts$/, ''), join(rootDir, entry)])),
    platform: 'node',
    external: (id) => OPTIONAL.test(id) || UNBUNDLED.some((name) => id === name || id.startsWith(`${name}/`)),
    plugins: [keepPlaces(rootDir)],
    onLog: (_level, { message }) => void process.stderr.write(`${message}\n`),
  });
  const { output } = await build.write({
    dir: outDir,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    keepNames: true,
    minify: false,
    sourcemap: false,
  });
  await build.close();
  return output.map(({ fileName }) => fileName);
};
