import { randomUUID } from 'node:crypto';
import { pause } from '@florin/rpc/time';
import type { Lease } from '../shards/lease.ts';
import type { Leases } from '../shards/leases.ts';
import { CommandError } from './command-error.ts';

/** A ledger that was asked to wait sees a name, and nothing that it could forward to. */
const NOWHERE = 'http://127.0.0.1:9';
const MAINTENANCE = 'maintenance';

/**
 * Does work while no ledger owns a shard, and none can begin to.
 * @throws CommandError SHARD_IN_USE naming the ledger that owns one, or when a lease was lost under way
 */
export const whileHolding = async <T>(leases: Leases, leaseMs: number, shards: readonly string[], work: () => Promise<T>): Promise<T> => {
  const lease: Lease = { instance: MAINTENANCE, url: NOWHERE, token: randomUUID(), epoch: 0 };
  const held: string[] = [];
  let over = false;
  const keep = async (): Promise<never> => {
    for (;;) {
      await pause(leaseMs / 3);
      if (over) return new Promise<never>(() => undefined);
      for (const shard of held) {
        if (!(await leases.hold(shard, lease)))
          throw new CommandError('SHARD_IN_USE', `shard ${shard} was taken meanwhile: run the command again`);
      }
    }
  };
  try {
    for (const shard of shards) {
      if (!(await leases.hold(shard, lease))) {
        const owner = await leases.find(shard);
        throw new CommandError(
          'SHARD_IN_USE',
          owner?.instance === MAINTENANCE
            ? `another command works on shard ${shard}, or was killed less than ${leaseMs / 1000} seconds ago: run this one again after that time`
            : `the ledger at ${owner?.url ?? 'an unknown address'} owns shard ${shard}: stop all ledgers first`,
        );
      }
      held.push(shard);
    }
    return await Promise.race([work(), keep()]);
  } finally {
    over = true;
    for (const shard of held) await leases.release(shard, lease).catch(() => undefined);
  }
};
