import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The packages that are loaded from their own directories, with those that they need. */
const PACKAGES = ['secp256k1', 'node-gyp-build', 'tiny-secp256k1', 'uint8array-tools'];

/** Files that no process reads in them: types, source maps, documentation, sources of native parts, and parts for other platforms. */
const UNREAD = /\.(?:[cm]?ts|map|md|gyp|cc|h)$|\/secp256k1\/src(?:\/|$)|\/node_modules\/.*\/node_modules(?:\/|$)|\/prebuilds\/(?!linux)/;

/** Other files that processes read, as paths in the repository. */
const FILES = [
  'gateway/app/dist',
  'gateway/back-office/pages/dist',
  'gateway/guides',
  ...['package.json', 'swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'].map((name) => `node_modules/swagger-ui-dist/${name}`),
];

/** Copies what processes read besides their bundles, each file into the place that it has in the repository. */
export const copyFiles = (rootDir: string, outDir: string): void => {
  const copy = (path: string, isRead: (source: string) => boolean): void => {
    mkdirSync(dirname(join(outDir, path)), { recursive: true });
    cpSync(join(rootDir, path), join(outDir, path), { recursive: true, filter: isRead });
  };
  for (const name of PACKAGES) copy(`node_modules/${name}`, (source) => !UNREAD.test(source.slice(rootDir.length)));
  for (const path of FILES) copy(path, () => true);
  writeFileSync(join(outDir, 'package.json'), `${JSON.stringify({ private: true, type: 'module' })}\n`);
};
