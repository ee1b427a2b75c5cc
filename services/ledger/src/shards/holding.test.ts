import { steadyNow } from '@florin/rpc/steady-clock';
import { afterEach, expect, it, vi } from 'vitest';
import type { Journal } from '../journal/journal.ts';
import { createHolding } from './holding.ts';

afterEach(() => void vi.restoreAllMocks());

it('checks the tail after the machine was suspended, although the lease seems to last', async () => {
  const assertTail = vi.fn(async () => undefined);
  const journal = { assertTail, ended: new Promise(() => undefined), close: async () => undefined } as unknown as Journal;
  const lease = { instance: 'i', url: 'http://i', token: 't', epoch: 1 };
  const holding = createHolding({ shard: '0', lease, leaseMs: 600_000, open: async () => journal });
  const work = vi.fn(async () => undefined);
  holding.confirm(steadyNow());
  await holding.run(work);
  expect(assertTail).not.toHaveBeenCalled();
  const resumedAt = Date.now() + 3_600_000;
  vi.spyOn(Date, 'now').mockReturnValue(resumedAt);
  await holding.run(work);
  expect(assertTail).toHaveBeenCalledOnce();
  holding.confirm(steadyNow());
  await holding.run(work);
  expect(assertTail).toHaveBeenCalledOnce();
  expect(work).toHaveBeenCalledTimes(3);
  await holding.close();
});
