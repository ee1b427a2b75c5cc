import type { Logger } from '@florin/rpc/observe';
import { startRounds } from '@florin/rpc/time';
import type { Services } from '../clients/services.ts';
import type { QueueItemStore } from '../store/queue-items.ts';
import { queueItemKey } from './read-queue.ts';

const INTERVAL_MS = 3_600_000;
/** As many as identity is asked for at once. */
const BATCH = 100;
const DEADLINE_MS = 10_000;

const PREFIX = queueItemKey('people', '');

/**
 * Deletes operators' notes on people who were erased, once an hour. Identity says of whom that is so: a person whom it does not know, as after a restore from a backup, keeps their
 * notes. Any number of processes may do so. A note that is written while its person is erased is deleted by a later round.
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
      const { erasedUserIds } = await users.batchGetUsers({ userIds }, { timeoutMs: DEADLINE_MS });
      const deleted = await queueItems.erase(erasedUserIds.map((id) => queueItemKey('people', id)));
      if (deleted > 0) logger.info({ people: deleted }, 'deleted the notes on people who were erased');
      keys = keys.length < BATCH ? [] : await queueItems.idsAfter(PREFIX, keys.at(-1) ?? '', BATCH);
    }
  };
  return startRounds({ round, intervalMs: INTERVAL_MS, logger, failed: 'erasing notes on erased people failed, will be retried' });
};
