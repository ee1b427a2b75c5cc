import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Creates a directory that is removed at the end of the test. */
export const temporaryDirectory = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'florin-local-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
};
