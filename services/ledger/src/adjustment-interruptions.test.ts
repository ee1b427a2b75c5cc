import { randomUUID } from 'node:crypto';
import { AdjustmentStatus } from '@florin/proto/ledger/v1/adjustment';
import { systemRuntime } from '@florin/rpc/runtime';
import { waitFor } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, ledgerEnvironment, startLedger, type TestLedger } from './testing/world.ts';

const { PENDING, BOOKED, APPROVED } = AdjustmentStatus;
const MOST_STEPS = 40;

type Kill = { step: number; after: boolean };

/**
 * Lets a call die at one of its steps over real stores: just before the step, or just after it. From then on no step succeeds until the
 * process has been started again, as far as adjustments go: nothing about them is kept in memory.
 */
const createKiller = () => {
  let kill: Kill | undefined;
  let steps = 0;
  let dead = false;
  const die = (): never => {
    dead = true;
    throw new Error('killed');
  };
  const wrap = <S extends object>(real: S, names: readonly (keyof S)[]): S => {
    const wrapped = names.map((name) => {
      const call = real[name] as (...args: unknown[]) => Promise<unknown>;
      return [
        name,
        async (...args: unknown[]) => {
          if (kill === undefined) return call(...args);
          steps += 1;
          if (dead || (steps === kill.step && !kill.after)) die();
          const result = await call(...args);
          return steps === kill.step ? die() : result;
        },
      ];
    });
    return { ...real, ...Object.fromEntries(wrapped) };
  };
  return {
    wrap,
    /** Runs a call that dies at a step. @returns whether it did */
    during: async (at: Kill, call: () => Promise<unknown>): Promise<boolean> => {
      [kill, steps, dead] = [at, 0, false];
      const code = await codeOf(call());
      const died = dead;
      kill = undefined;
      expect([at, code]).toEqual([at, died ? expect.not.stringMatching(/^no error$/) : 'no error']);
      return died;
    },
  };
};

const killer = createKiller();
let ahead = 0;
let ledger: TestLedger;
beforeAll(async () => {
  ledger = await startLedger(ledgerEnvironment({ APPROVAL_ABOVE: JSON.stringify({ EURe: '100' }), ADJUSTMENT_SWEEP_MS: '50' }), {
    runtime: { ...systemRuntime, now: () => new Date(Date.now() + ahead) },
    adjustments: (real) => killer.wrap(real, ['create', 'find', 'move']),
    approvalWindows: (real) => killer.wrap(real, ['find', 'count']),
  });
});
afterAll(async () => {
  expect(await ledger.verify()).toMatchObject({ ok: true, problem: '' });
  await ledger.close();
});

type Account = Awaited<ReturnType<TestLedger['open']>>;
const order = ({ accountId }: Account, actor: string, amount: string) => ({
  adjustmentId: randomUUID() as string,
  change: {
    case: 'transfers' as const,
    value: { transfers: [{ debit: 'settlement', credit: accountId, token: 'EURe', amount }] },
  },
  metadata: { actor, reason: 'goodwill' },
});
const create = async (request: ReturnType<typeof order>) =>
  (await ledger.adjustments.createAdjustment(request, ledger.operator)).adjustment?.status;
const approve = async (adjustmentId: string) =>
  (await ledger.adjustments.approveAdjustment({ adjustmentId, actor: 'bob' }, ledger.operator)).adjustment?.status;
const statusOf = (adjustmentId: string) =>
  ledger.adjustments.getAdjustment({ adjustmentId }, ledger.operator).then(
    ({ adjustment }) => adjustment?.status,
    () => undefined,
  );
const spendable = async (account: Account) => (await ledger.tokenBalances(account))['EURe']?.spendable;

/** All kills that a call survives long enough to see, one after the other. */
const forEachKill = async (run: (at: Kill) => Promise<boolean>): Promise<number> => {
  for (let step = 1; step < MOST_STEPS; step += 1) {
    const died = (await run({ step, after: false })) && (await run({ step, after: true }));
    if (!died) return step - 1;
  }
  throw new Error('the call has no end');
};

/** An approved adjustment is booked without another call, once the call that approved it is known to be interrupted. */
const awaitSweep = async (adjustmentId: string): Promise<void> => {
  ahead += 11_000;
  await waitFor('the sweep', async () => ((await statusOf(adjustmentId)) === BOOKED ? true : undefined));
};

describe('an adjustment that is interrupted at any step', () => {
  it('while it is ordered is booked once, and counts once', async () => {
    const seen = new Set<AdjustmentStatus | undefined>();
    const steps = await forEachKill(async (at) => {
      const account = await ledger.open();
      const [actor, request] = [randomUUID(), order(account, '', '60')];
      request.metadata.actor = actor;
      const died = await killer.during(at, () => create(request));
      const status = await statusOf(request.adjustmentId);
      seen.add(status);
      if (status === APPROVED && at.after) await awaitSweep(request.adjustmentId);
      expect([at, await create(request)]).toEqual([at, BOOKED]);
      expect([at, await spendable(account)]).toEqual([at, '60']);
      expect([at, await create(order(await ledger.open(), actor, '40'))]).toEqual([at, BOOKED]);
      expect([at, await create(order(await ledger.open(), actor, '1'))]).toEqual([at, PENDING]);
      return died;
    });
    expect(steps).toBeGreaterThan(5);
    // Killed before there is a record, between record and entry, and after the entry.
    expect(seen).toEqual(new Set([undefined, APPROVED, BOOKED]));
  }, 120_000);

  it('while it is approved is booked once', async () => {
    const seen = new Set<AdjustmentStatus | undefined>();
    const steps = await forEachKill(async (at) => {
      const account = await ledger.open();
      const { adjustmentId, ...request } = order(account, randomUUID(), '500');
      expect(await create({ adjustmentId, ...request })).toBe(PENDING);
      const died = await killer.during(at, () => approve(adjustmentId));
      const status = await statusOf(adjustmentId);
      seen.add(status);
      expect([at, await spendable(account)]).toEqual([at, status === PENDING ? '0' : expect.stringMatching(/^(0|500)$/)]);
      if (status === APPROVED && at.after) await awaitSweep(adjustmentId);
      expect([at, await approve(adjustmentId)]).toEqual([at, BOOKED]);
      expect([at, await spendable(account)]).toEqual([at, '500']);
      return died;
    });
    expect(steps).toBeGreaterThan(2);
    expect(seen).toEqual(new Set([PENDING, APPROVED, BOOKED]));
  }, 120_000);
});
