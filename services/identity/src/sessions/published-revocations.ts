import type { RevocationSource } from '@florin/data/revocations';
import { MAX_PUBLISHED_REVOCATIONS } from '@florin/proto/identity/v1/revocations';
import { ACCESS_TOKEN_LIFE_MS } from '@florin/rpc/auth';
import type { Runtime } from '@florin/rpc/runtime';
import type { SessionStore } from '../store/sessions.ts';

/** Window of published revocations: longer than a token of a revoked session lives, with a margin for clock differences. */
const WINDOW_MS = ACCESS_TOKEN_LIFE_MS + 60_000;

/** Recent revocations from the store. Concurrent callers share one query. */
export const createPublishedRevocations = (store: Pick<SessionStore, 'revokedAfter'>, runtime: Runtime): RevocationSource => {
  let running: Promise<string[]> | undefined;
  const read = async (): Promise<string[]> => {
    const sessions = await store.revokedAfter(new Date(runtime.now().getTime() - WINDOW_MS), MAX_PUBLISHED_REVOCATIONS + 1);
    // An incomplete list would make the missing sessions look valid.
    if (sessions.length > MAX_PUBLISHED_REVOCATIONS) throw new Error('there are more revoked sessions than the document can hold');
    return sessions;
  };
  return () => {
    running ??= read().finally(() => {
      running = undefined;
    });
    return running;
  };
};
