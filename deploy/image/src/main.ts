import { resolve } from 'node:path';
import { buildApp } from '@florin/app/build';
import { buildBackOffice } from '@florin/back-office-pages/build';
import { bundle } from './bundle.ts';
import { copyFiles } from './copy-files.ts';

/** `node deploy/image/src/main.ts DIR`: writes the files of the image into a directory. Part of deploy/docker/Dockerfile. */
const [outDir] = process.argv.slice(2);
if (outDir === undefined) {
  process.stderr.write('usage: node deploy/image/src/main.ts DIR\n');
  process.exitCode = 2;
} else {
  const rootDir = resolve(import.meta.dirname, '../../..');
  const report = (line: string): void => void process.stdout.write(`${line}\n`);
  await Promise.all([buildApp(report), buildBackOffice(report)]);
  const files = await bundle(rootDir, resolve(outDir));
  copyFiles(rootDir, resolve(outDir));
  process.stdout.write(`${files.length} files of JavaScript are in ${outDir}\n`);
}
