import { join } from 'node:path';
import { build } from 'vite';
import { APP_DIR } from './places.ts';

/** `NODE_ENV=production node bundle.ts DIRECTORY`: bundles the sources into a directory. */
const [, , outDir] = process.argv;
if (outDir === undefined) throw new Error('the directory is missing');
await build({ root: APP_DIR, configFile: join(APP_DIR, 'vite.config.ts'), logLevel: 'warn', build: { outDir, emptyOutDir: true } });
