import type { RevocationSource } from '@florin/data/revocations';
import { MAX_PUBLISHED_REVOCATIONS } from '@florin/proto/identity/v1/revocations';
import { ACCESS_TOKEN_LIFE_MS } from '@florin/rpc/auth';
import type { Runtime } from '@florin/rpc/runtime';
import type { SessionStore } from '../store/sessions.ts';
import type { WalletEpochStore } from '../store/wallet-epochs.ts';
import { epochNames } from './announcements.ts';

/** Window of published revocations: longer than a token of a revoked session lives, with a margin for clock differences. */
const WINDOW_MS = ACCESS_TOKEN_LIFE_MS + 60_000;

type Parts = {
  store: Pick<SessionStore, 'revokedAfter'>;
  epochs: Pick<WalletEpochStore, 'endedAfter'>;
  /** Names of revoked keys. */
  keys: () => readonly string[];
  runtime: Pick<Runtime, 'now'>;
};

/** Recent revocations from the store. Concurrent callers share one query. */
export const createPublishedRevocations = ({ store, epochs, keys, runtime }: Parts): RevocationSource => {
  let running: Promise<string[]> | undefined;
  const read = async (): Promise<string[]> => {
    const time = runtime.now().getTime();
    const since = new Date(time - WINDOW_MS);
    const limit = MAX_PUBLISHED_REVOCATIONS + 1;
    // A registration issues a token without a refresh, up to a token's lifetime after the last one.
    const usedAfter = new Date(since.getTime() - ACCESS_TOKEN_LIFE_MS);
    const [sessions, ended] = await Promise.all([store.revokedAfter(since, usedAfter, limit), epochs.endedAfter(since, limit)]);
    const names = [...keys(), ...ended.flatMap(epochNames), ...sessions];
    // An incomplete list would make the missing sessions look valid.
    if (names.length > MAX_PUBLISHED_REVOCATIONS) throw new Error('there are more revocations than the document can hold');
    return names;
  };
  return () => {
    running ??= read().finally(() => {
      running = undefined;
    });
    return running;
  };
};
