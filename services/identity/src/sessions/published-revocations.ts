import type { RevocationSource } from '@florin/data/revocations';
import { MAX_PUBLISHED_REVOCATIONS } from '@florin/proto/identity/v1/revocations';
import { ACCESS_TOKEN_LIFE_MS } from '@florin/rpc/auth';
import type { Runtime } from '@florin/rpc/runtime';
import type { SessionStore } from '../store/sessions.ts';

/** Longer than any token of a revoked session can live, whatever the clocks of the instances disagree about. */
const WINDOW_MS = ACCESS_TOKEN_LIFE_MS + 60_000;

/** What was revoked lately, out of the store, which decides. One reading serves all who ask while it runs. */
export const createPublishedRevocations = (store: Pick<SessionStore, 'revokedAfter'>, runtime: Runtime): RevocationSource => {
  let running: Promise<string[]> | undefined;
  const read = async (): Promise<string[]> => {
    const sessions = await store.revokedAfter(new Date(runtime.now().getTime() - WINDOW_MS), MAX_PUBLISHED_REVOCATIONS + 1);
    // Part of them would say of the others that they are good.
    if (sessions.length > MAX_PUBLISHED_REVOCATIONS) throw new Error('more revoked sessions than can be published');
    return sessions;
  };
  return () => {
    running ??= read().finally(() => {
      running = undefined;
    });
    return running;
  };
};
