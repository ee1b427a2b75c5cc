import { join } from 'node:path';
import { build } from 'vite';

/** `NODE_ENV=production node bundle.ts PACKAGE DIRECTORY`: bundles the sources of a package into a directory. */
const [, , root, outDir] = process.argv;
if (root === undefined || outDir === undefined) throw new Error('usage: node bundle.ts PACKAGE DIRECTORY');
await build({ root, configFile: join(root, 'vite.config.ts'), logLevel: 'warn', build: { outDir, emptyOutDir: true } });
