import { describe, expect, it } from 'vitest';
import { earlierVersion } from '../support/node-tools.ts';
import { ORDER_OF_UPDATE, upgradeFrom } from './upgrade.ts';

/** The first version whose data every later one keeps: 0.2.0. */
const FIRST_KEPT = '13ff9bd2172d72b4ceb4e88998aec720caad2f2e';

const COMPLETE = 'The demo is complete: all 26 steps had the expected result.';

const report = (line: string): void => void process.stderr.write(`${line}\n`);
const folder = await earlierVersion(FIRST_KEPT, report);

describe('a platform of an earlier version', () => {
  // Skipped in a shallow clone, and without npm's registry.
  it.skipIf(folder === undefined)(
    'is replaced process by process under load, in the order of the changelog, and loses nothing',
    async () => {
      const { before, after, lives, replaced, auditLog, problems } = await upgradeFrom(folder ?? '', ORDER_OF_UPDATE, () => undefined);
      expect(problems).toEqual([]);
      expect([before, after.trim()]).toEqual([COMPLETE, COMPLETE]);
      expect(lives).toBeGreaterThan(0);
      // Without nodes of a chain, chain is not started.
      expect(replaced).toEqual(ORDER_OF_UPDATE.filter((name) => name !== 'chain'));
      expect(auditLog).toContain('records are intact');
    },
    1_200_000,
  );
});
