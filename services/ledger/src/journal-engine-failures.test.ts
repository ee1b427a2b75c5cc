import { waitFor } from '@florin/rpc/testing';
import { testPort } from '@florin/rpc/testing/test-port';
import { mongo } from 'mongoose';
import { describe, expect, it } from 'vitest';
import type { BlockStore } from './journal/ports.ts';
import { engineDown, recordRequest, startReleased } from './testing/released.ts';
import { codeOf, ledgerEnvironment } from './testing/world.ts';

describe('the journal with an engine that fails during an append', () => {
  it.each([
    ['before', false],
    ['after', true],
  ])('appends each entry once when the engine fails for a moment %s the block is written', async (_name, written) => {
    let failures = 0;
    const blocks = (real: BlockStore): BlockStore => ({
      ...real,
      insert: async (block) => {
        if (failures === 0) return real.insert(block);
        failures -= 1;
        if (written) await real.insert(block);
        throw engineDown();
      },
    });
    const ledger = await startReleased(ledgerEnvironment(), { blocks });
    const account = await ledger.open();
    failures = 2;
    await Promise.all(Array.from({ length: 5 }, () => ledger.see(account, 'EURe', '1')));
    expect((await ledger.tokenBalances(account))['EURe']?.processingDeposits).toBe('5');
    expect(await ledger.verify()).toMatchObject({ ok: true, entries: 7n });
  });

  it.each([
    ['written', true],
    ['not written', false],
  ])(
    'returns SERVICE_UNAVAILABLE and then the outcome to a retry when the block was %s before a longer failure',
    async (_name, written) => {
      let down = false;
      const blocks = (real: BlockStore): BlockStore => ({
        ...real,
        insert: async (block) => {
          if (down && written) await real.insert(block);
          if (down) throw engineDown();
          return real.insert(block);
        },
        find: (shard, n) => (down ? Promise.reject(engineDown()) : real.find(shard, n)),
      });
      const ledger = await startReleased(ledgerEnvironment(), { blocks });
      const account = await ledger.open();
      const request = recordRequest(account.accountId);
      down = true;
      expect(await codeOf(ledger.movements.recordDeposit(request, ledger.operator))).toBe('SERVICE_UNAVAILABLE');
      down = false;
      const { deposit } = await ledger.movements.recordDeposit(request, ledger.operator);
      await ledger.resolve(deposit?.id ?? '');
      expect((await ledger.tokenBalances(account))['EURe']).toMatchObject({ spendable: '77', processingDeposits: '0' });
      expect(await ledger.verify()).toMatchObject({ ok: true, entries: 4n });
    },
  );

  it('continues after a block whose insert arrives late', async () => {
    let late: (() => Promise<unknown>) | undefined;
    let armed = false;
    const blocks = (real: BlockStore): BlockStore => ({
      ...real,
      insert: async (block) => {
        if (!armed) return real.insert(block);
        late = () => real.insert(block);
        throw engineDown();
      },
      find: (shard, n) => (armed ? Promise.reject(engineDown()) : real.find(shard, n)),
    });
    const ledger = await startReleased(ledgerEnvironment(), { blocks, environment: { JOURNAL_REFRESH_MS: '60000' } });
    const account = await ledger.open();
    const request = recordRequest(account.accountId);
    armed = true;
    expect(await codeOf(ledger.movements.recordDeposit(request, ledger.operator))).toBe('SERVICE_UNAVAILABLE');
    armed = false;
    // The lost insert arrives between the read of the tail and the write of the next block.
    await Promise.all([late?.(), ledger.see(account, 'EURe', '1')]);
    await ledger.movements.recordDeposit(request, ledger.operator);
    expect((await ledger.tokenBalances(account))['EURe']?.processingDeposits).toBe('78');
    expect(await ledger.verify()).toMatchObject({ ok: true, entries: 4n });
  });

  it('is not ready while the engine rejects its blocks for lack of space, although it takes other writes', async () => {
    let full = false;
    const blocks = (real: BlockStore): BlockStore => ({
      ...real,
      insert: async (block) => {
        if (full) throw new mongo.MongoServerError({ message: 'could not extend file "base/5/1": No space left on device', code: 4293 });
        return real.insert(block);
      },
    });
    const port = await testPort();
    const ledger = await startReleased(ledgerEnvironment(), { blocks, environment: { METRICS_PORT: String(port) } });
    const becomes = (status: number): Promise<unknown> =>
      waitFor(`readiness to be ${status}`, async () => {
        const response = await fetch(`http://127.0.0.1:${port}/health/ready`);
        await response.arrayBuffer();
        return response.status === status ? true : undefined;
      });
    const account = await ledger.open();
    await becomes(200);
    full = true;
    const request = recordRequest(account.accountId);
    const refused = codeOf(ledger.movements.recordDeposit(request, ledger.operator));
    await becomes(503);
    expect(await refused).toBe('SERVICE_UNAVAILABLE');
    full = false;
    await becomes(200);
    await ledger.movements.recordDeposit(request, ledger.operator);
    expect((await ledger.tokenBalances(account))['EURe']?.processingDeposits).toBe('77');
    expect(await ledger.verify()).toMatchObject({ ok: true });
  });
});
