import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Writes each text of a directory a second and a third time, as small as it gets, for servers to send as it is. */
export const compressTexts = async (directory: string): Promise<void> => {
  await Promise.all(
    globSync('**/*.{js,css,svg,json}', { cwd: directory }).map(async (path) => {
      const file = join(directory, path);
      const text = await readFile(file);
      const params = { [constants.BROTLI_PARAM_SIZE_HINT]: text.length };
      const [brotli, zipped] = await Promise.all([toBrotli(text, { params }), toGzip(text, { level: constants.Z_BEST_COMPRESSION })]);
      await Promise.all([writeFile(`${file}.br`, brotli), writeFile(`${file}.gz`, zipped)]);
    }),
  );
};
