import { describe, expect, it } from 'vitest';
import { earlierVersion } from '../support/node-tools.ts';
import { upgradeFrom } from './upgrade.ts';

/** The first version whose data every later one keeps: 0.2.0. */
const FIRST_KEPT = '13ff9bd2172d72b4ceb4e88998aec720caad2f2e';

const COMPLETE = 'The demo is complete: all 26 steps had the expected result.';

const report = (line: string): void => void process.stderr.write(`${line}\n`);
const folder = await earlierVersion(FIRST_KEPT, report);

describe('a platform of an earlier version', () => {
  // Skipped in a shallow clone, and without npm's registry.
  it.skipIf(folder === undefined)(
    'is replaced process by process under load, and loses nothing',
    async () => {
      const { before, after, lives, replaced, auditLog, problems } = await upgradeFrom(folder ?? '', () => undefined);
      expect(problems).toEqual([]);
      expect([before, after.trim()]).toEqual([COMPLETE, COMPLETE]);
      expect(lives).toBeGreaterThan(0);
      expect(replaced.toSorted()).toEqual([
        'back-office',
        'card',
        'events',
        'gateway',
        'identity',
        'ledger',
        'threeds',
        'vault',
        'webhooks',
      ]);
      expect(auditLog).toContain('records are intact');
    },
    600_000,
  );
});
