import type { Logger } from '@florin/rpc/observe';
import { startRounds } from '@florin/rpc/time';
import type { Services } from '../clients/services.ts';
import type { QueueItemStore } from '../store/queue-items.ts';
import { queueItemKey } from './read-queue.ts';

const INTERVAL_MS = 60_000;
/** As many as identity is asked for at once. */
const BATCH = 100;
const DEADLINE_MS = 10_000;

const PREFIX = queueItemKey('people', '');

/**
 * Deletes operators' notes on people who were erased, once a minute: identity knows who still exists. Any number of processes may do so. A note that is written while its person is
 * erased is deleted by the next round.
 */
export const startErasingNotes = ({
  services: { users },
  queueItems,
  logger,
}: {
  services: Pick<Services, 'users'>;
  queueItems: Pick<QueueItemStore, 'idsAfter' | 'erase'>;
  logger: Logger;
}) => {
  const round = async (closed: () => boolean): Promise<void> => {
    for (let keys = await queueItems.idsAfter(PREFIX, PREFIX, BATCH); keys.length > 0 && !closed(); ) {
      const userIds = keys.map((key) => key.slice(PREFIX.length));
      const found = await users.batchGetUsers({ userIds }, { timeoutMs: DEADLINE_MS });
      const existing = new Set(found.users.map(({ id }) => queueItemKey('people', id)));
      await queueItems.erase(keys.filter((key) => !existing.has(key)));
      keys = keys.length < BATCH ? [] : await queueItems.idsAfter(PREFIX, keys.at(-1) ?? '', BATCH);
    }
  };
  return startRounds({ round, intervalMs: INTERVAL_MS, logger, failed: 'erasing notes on erased people failed, will be retried' });
};
