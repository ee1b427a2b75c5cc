import { resolve } from 'node:path';
import { buildPages } from '@florin/ui/build';

/** Builds the pages into `gateway/back-office/pages/dist`, unless they were built from the same inputs before; as `buildPages` does. */
export const buildBackOffice = (report: (line: string) => void): Promise<void> =>
  buildPages({ name: 'Back office', directory: resolve(import.meta.dirname, '..'), uses: [resolve(import.meta.dirname, '../..')] }, report);
