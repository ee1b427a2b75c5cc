import { resolve } from 'node:path';
import { buildPages } from '@florin/ui/build';

/** Builds the app into `gateway/app/dist`, unless it was built from the same inputs before; as `buildPages` does. */
export const buildApp = (report: (line: string) => void): Promise<void> =>
  buildPages(
    {
      name: 'App',
      directory: resolve(import.meta.dirname, '..'),
      uses: [resolve(import.meta.dirname, '../../client')],
    },
    report,
  );
