import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPlatform, type Platform } from '../../support/platform.ts';

const ROOT = join(import.meta.dirname, '../../..');
const RUN_MS = 120_000;
const COMMANDS = /^```sh\n([\s\S]*?)^```/gm;

let platform: Platform;
beforeAll(async () => {
  platform = await openPlatform();
});
afterAll(() => platform?.close());

describe('gateway/guides/quick-start-curl.md', () => {
  it('runs as it is written', { timeout: RUN_MS }, async () => {
    const page = await readFile(join(ROOT, 'gateway/guides/quick-start-curl.md'), 'utf8');
    const commands = [...page.matchAll(COMMANDS)].map(([, text]) => text).join('');
    const script = `set -euo pipefail\n${commands.replace(/^API=.*$/m, `API=${platform.url}`)}`;
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: ROOT, timeout: RUN_MS });
    expect(stdout).toContain('APPROVE this card payment');
    expect(stdout).toContain('"spendable":"10000"');
    expect(stdout).toContain('"status":"approved"');
    expect(stdout).toContain('"clearedAmount":"4500"');
    expect(stdout).toContain('"refundedAmount":"500"');
    expect(stdout).toContain('"kind":"card_payment"');
    expect(stdout.trimEnd().endsWith('"success":true}')).toBe(true);
  });
});
