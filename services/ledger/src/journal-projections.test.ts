import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { DepositStatus } from '@florin/proto/ledger/v1/movement';
import { waitFor } from '@florin/rpc/testing';
import { describe, expect, it } from 'vitest';
import type { ProjectionParts } from './store/projections.ts';
import { type Environment, engineDown, openCollections, type StoreOverrides, startReleased } from './testing/released.ts';
import { codeOf, ledgerEnvironment } from './testing/world.ts';

describe('the projections of the journal', () => {
  const IMPATIENT = { JOURNAL_PROJECTION_WAIT_MS: '50' };
  const { APPROVED, REJECTED } = DepositStatus;

  /** The writes behind the journal, by collection. */
  const STEPS = ['movements', 'holds', 'screenings', 'accounts', 'checkpoint'] as const;
  type Step = (typeof STEPS)[number];

  /** Stores whose write of one step fails while `isBroken` returns true. */
  const failing = (step: Step, isBroken: () => boolean): StoreOverrides => {
    const guarded =
      <A extends unknown[]>(own: Step, write: (...args: A) => Promise<void>) =>
      (...args: A): Promise<void> =>
        own === step && isBroken() ? Promise.reject(engineDown()) : write(...args);
    return {
      checkpoints: (real) => ({ ...real, saveProjected: guarded('checkpoint', real.saveProjected) }),
      projectionParts: ({ accounts, holds, movements, screenings }: ProjectionParts) => ({
        accounts: { ...accounts, saveStatuses: guarded('accounts', accounts.saveStatuses) },
        holds: { ...holds, save: guarded('holds', holds.save) },
        movements: { ...movements, save: guarded('movements', movements.save) },
        screenings: { ...screenings, save: guarded('screenings', screenings.save) },
      }),
      environment: IMPATIENT,
    };
  };

  const openAccounts = async (environment: Environment) => {
    const ledger = await startReleased(environment);
    const accounts = [await ledger.open(), await ledger.open()] as const;
    await ledger.close();
    return accounts;
  };

  it.each(STEPS)('are completed by the next start after a kill before the %s are written', async (step) => {
    const environment = ledgerEnvironment();
    const [account, ended] = await openAccounts(environment);
    const first = await startReleased(
      environment,
      failing(step, () => true),
    );
    const deposit = await first.see(account, 'EURe', '10');
    await first.resolve(deposit.id);
    const hold = { entryId: randomUUID(), transfers: [{ debit: account.accountId, credit: 'settlement', token: 'EURe', amount: '4' }] };
    const held = { ...hold, holdExpiresAt: timestampFromDate(new Date(Date.now() + 3_600_000)) };
    await first.entries.createEntries({ entries: [held] }, first.operator);
    const closing = first.accounts.closeAccount({ accountId: ended.accountId }, first.operator);
    expect(await codeOf(closing)).toBe(step === 'checkpoint' ? 'no error' : 'SERVICE_UNAVAILABLE');
    // Durable entries are returned from the journal, to retries too, although no list shows them yet.
    expect((await first.resolve(deposit.id)).deposit?.status).toBe(APPROVED);
    expect(await codeOf(first.resolve(deposit.id, REJECTED))).toBe('DEPOSIT_STATE_CONFLICT');
    expect((await first.tokenBalances(account))['EURe']).toMatchObject({ spendable: '6', nonSpendable: '4' });
    await first.close();

    const second = await startReleased(environment);
    await waitFor('the projection', async () => {
      const { deposits } = await second.movements.listDeposits({}, account.user);
      return deposits[0]?.status === APPROVED ? true : undefined;
    });
    const { account: closed } = await second.accounts.closeAccount({ accountId: ended.accountId }, second.operator);
    expect(closed?.closedAt).toBeDefined();
    expect(await second.verify()).toMatchObject({ ok: true, entries: 8n });
    const collection = await openCollections(environment);
    // Lists of a block are written one after the other, and its checkpoint last.
    await waitFor('the checkpoint', async () =>
      (await collection('checkpoints').findOne({ _id: '0' }))?.['projected'] === 11 ? true : undefined,
    );
    expect(await collection('open_holds').countDocuments()).toBe(1);
  });

  it('catch up when the engine recovers', async () => {
    let down = true;
    const environment = ledgerEnvironment();
    const [account] = await openAccounts(environment);
    const ledger = await startReleased(
      environment,
      failing('movements', () => down),
    );
    await ledger.fund(account, 'EURe', '10');
    expect((await ledger.movements.listDeposits({}, account.user)).deposits).toEqual([]);
    down = false;
    await waitFor('the projection', async () =>
      (await ledger.movements.listDeposits({}, account.user)).deposits[0]?.status === APPROVED ? true : undefined,
    );
  });
});
