import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A directory that is removed when the test has ended. */
export function temporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'florin-local-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
