import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fakeClock } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPlatform, type Platform } from '../../support/platform.ts';
import { pythonTools } from '../../support/python.ts';

const ROOT = join(import.meta.dirname, '../../..');
const INSTALL_MS = 600_000;
const RUN_MS = 120_000;

const report = (line: string) => void process.stdout.write(`${line}\n`);

let platform: Platform;
let python: string | undefined;
beforeAll(async () => {
  [platform, python] = await Promise.all([
    // The programs of the guides read the machine's clock.
    openPlatform({ events: {}, clock: { ...fakeClock(), now: () => new Date() } }),
    pythonTools(['jwcrypto==1.6.1', 'requests==2.32.5', 'eth-account==0.13.7'], report),
  ]);
}, INSTALL_MS);
afterAll(() => platform?.close());

/** All code of a guide in a language, joined in its order. */
const codeOf = async (name: string, language: string): Promise<string> => {
  const guide = await readFile(join(ROOT, `gateway/guides/${name}.md`), 'utf8');
  return [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, text]) => text).join('');
};

describe('the guide for partners', () => {
  it('leads from a new key to events with a shell', { timeout: RUN_MS }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'florin-guide-'));
    try {
      const [key, code] = await Promise.all([codeOf('partners', 'sh'), codeOf('partners', 'bash')]);
      // The platform knows of a new key within two seconds.
      const read = 'until curl -sf "$API/events" -H "Authorization: Bearer $(token events.read)"; do sleep 0.2; done';
      const script = `${key}${code.replace('http://127.0.0.1:8080', platform.url)}${read}`;
      const { stdout } = await promisify(execFile)('bash', ['-ec', script], { cwd: folder, timeout: RUN_MS });
      expect(stdout).toContain('"clientId"');
      expect(stdout).toContain('"checkpoint"');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe('the quick start', () => {
  it.for([
    { guides: ['quick-start-python'], shown: 'APPROVE this card payment', last: 'approved' },
    { guides: ['quick-start-python', 'card-data'], shown: 'SET a new PIN for this card', last: 'set: True' },
    { guides: ['quick-start-python', 'disputes'], shown: 'submitted', last: 'won' },
    { guides: ['quick-start-python', 'dpop'], shown: 'APPROVE this card payment', last: 'with the key: 200 without: 401' },
  ])('with Python runs as it is written, with $guides', { timeout: RUN_MS }, async ({ guides, shown, last }, { skip }) => {
    if (python === undefined) return skip('Python is not available');
    const folder = await mkdtemp(join(tmpdir(), 'florin-guide-'));
    try {
      const script = join(folder, 'quick_start.py');
      await writeFile(script, (await Promise.all(guides.map((name) => codeOf(name, 'python')))).join('\n'));
      const { stdout } = await promisify(execFile)(join(python, 'python'), [script, platform.url], { timeout: RUN_MS });
      expect(stdout).toContain(shown);
      expect(stdout.trim().endsWith(last)).toBe(true);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
