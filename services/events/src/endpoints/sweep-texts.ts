import type { Logger } from '@florin/rpc/observe';
import { startRounds } from '@florin/rpc/time';
import type { WebhookEndpointStore } from '../store/webhook-endpoints.ts';
import type { WebhookSecretStore } from '../store/webhook-secrets.ts';

type Parts = {
  endpoints: Pick<WebhookEndpointStore, 'textsInUse'>;
  secrets: Pick<WebhookSecretStore, 'ids' | 'remove'>;
  logger: Logger;
  /** Time between two looks, in milliseconds: longer than any call that stores a text before an endpoint refers to it. */
  intervalMs?: number;
};

const INTERVAL_MS = 30 * 60_000;

/**
 * Deletes sealed texts that no endpoint refers to: those of calls that were killed, or whose outcome nobody knows, before one did. A text is deleted when two looks
 * in a row find it so, hence no clock matters.
 */
export const startTextSweep = ({ endpoints, secrets, logger, intervalMs = INTERVAL_MS }: Parts): { close: () => Promise<void> } => {
  let suspects = new Set<string>();
  const round = async (): Promise<void> => {
    // The texts first: one that is stored in between is not among them.
    const stored = await secrets.ids();
    const inUse = await endpoints.textsInUse();
    const unused = stored.filter((id) => !inUse.has(id));
    await secrets.remove(unused.filter((id) => suspects.has(id)));
    suspects = new Set(unused);
  };
  return startRounds({ round, intervalMs, logger, failed: 'deleting texts that no webhook endpoint refers to failed, will retry' });
};
