import { DEFAULT_ASSETS } from '@florin/rpc/assets';
import { quietLogger, waitFor } from '@florin/rpc/testing';
import { describe, expect, it } from 'vitest';
import type { Movement } from '../domain/movement.ts';
import { randomTxHash } from '../testing/world.ts';
import { type PendingScreening, startScreening } from './screening.ts';

describe('the retries of a screening', () => {
  const deposit = (id: string): Movement => ({
    id,
    accountId: 'a',
    txHash: randomTxHash(),
    logIndex: 0,
    token: 'EURe',
    amount: '1',
    decimals: 18,
    currency: 'EUR',
    status: 'pending',
    stage: 0,
    createdAt: new Date(0),
    position: 1,
    asOf: 1,
  });

  /** Runs one round over `due`. Returns when each deposit is due again (in seconds), which were screened, and which were dropped. */
  const round = async (due: PendingScreening[], find: (id: string) => Movement | undefined, takes = true) => {
    const seen = { again: [] as number[], screened: [] as string[], dropped: [] as string[] };
    const rounds = startScreening({
      shard: '0',
      journal: { unprojected: () => [], appendOne: () => Promise.reject(new Error('nothing is booked here')) },
      screener: {
        screen: async ({ depositId }) => {
          seen.screened.push(depositId);
          return { result: 'hold', riskScore: 1, riskTier: 'x' };
        },
        screenRecipient: () => Promise.reject(new Error('nothing is withdrawn here')),
      },
      pending: {
        due: async () => due,
        take: async (_pending, again) => {
          seen.again.push(again.getTime() / 1000);
          return takes;
        },
        drop: async (id) => void seen.dropped.push(id),
      },
      movements: { find: async (_list, id) => find(id) },
      findAccount: async () => ({ safeAddress: '0x' }),
      assets: DEFAULT_ASSETS,
      minimumOf: () => 0n,
      runtime: { now: () => new Date(0) },
      logger: quietLogger,
      intervalMs: 3_600_000,
      retryMs: 10_000,
    });
    await waitFor('all to be taken', async () => (seen.again.length === due.length ? true : undefined));
    await rounds.close();
    return seen;
  };
  const pending = (attempts: number): PendingScreening => ({ depositId: `d${attempts}`, accountId: 'a', dueAt: new Date(0), attempts });

  it('wait twice as long each time, up to 15 minutes', async () => {
    const { again, screened } = await round([0, 1, 2, 3, 7, 1000].map(pending), deposit);
    expect(again.sort((a, b) => a - b)).toEqual([10, 20, 40, 80, 900, 900]);
    expect(screened).toHaveLength(6);
  });

  it('skip a deposit that another instance has claimed', async () => {
    expect((await round([pending(0)], deposit, false)).screened).toEqual([]);
  });

  it('drop a decided deposit and keep one that is not projected yet', async () => {
    const gone = await round([pending(1), pending(2)], (id) => (id === 'd1' ? { ...deposit(id), status: 'approved' } : undefined));
    expect(gone).toMatchObject({ screened: [], dropped: ['d1'] });
  });
});
