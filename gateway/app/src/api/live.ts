import { createListeners } from '@florin/ui/page/listeners.ts';
import { useIsOnline } from '@florin/ui/page/use-is-online.ts';
import { useEffect, useSyncExternalStore } from 'react';
import { type Topic, touchedBy } from '../domain/touched-by.ts';
import { askedQuery } from './asked-query.ts';
import { client } from './client.ts';
import { queries, refresh } from './queries.ts';

/** Events of one change come within this time of each other; together they cause one reading. */
const GATHER_MS = 60;

/** How long a stream that cannot be opened at all is left alone. */
const PAUSE_MS = 15_000;

let isLive = true;
const { tell, subscribe } = createListeners();
const setLive = (next: boolean): void => {
  if (next === isLive) return;
  isLive = next;
  tell();
};

/** Reports whether the device has a connection, and the platform can be heard. */
export const useIsLive = (): boolean => {
  const isHeard = useSyncExternalStore(subscribe, () => isLive);
  return useIsOnline() && isHeard;
};

type Told = (challengeId: string) => unknown;
type Touch = (touched: readonly Topic[]) => void;

/** Makes one reading of what several streams tell at about the same time. */
const gather = (signal: AbortSignal): Touch => {
  const topics = new Set<Topic>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  signal.addEventListener('abort', () => clearTimeout(timer));
  return (touched) => {
    for (const topic of touched) topics.add(topic);
    if (topics.size === 0 || timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      const now = [...topics];
      topics.clear();
      void refresh(...now);
    }, GATHER_MS);
  };
};

const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, PAUSE_MS);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** Watches again and again, because the app is of use without events too: the screens then read when they are looked at. */
const keepWatching = async (signal: AbortSignal, watch: () => Promise<void>): Promise<void> => {
  while (!signal.aborted) {
    await watch().catch(() => undefined);
    if (!signal.aborted) await pause(signal);
  }
};

/** Payments that were told of once: a stream that begins anew tells of them again, and a person who closed the question has read it. */
const told = new Set<string>();

/** @param onRaised learns of each payment that waits for a decision */
const watchChallenges = async (signal: AbortSignal, touch: Touch, onRaised: Told): Promise<void> => {
  const onState = (state: 'open' | 'waiting') => setLive(state === 'open');
  for await (const { event, data } of client.threeDs.watchChallenges({}, { signal, onState })) {
    if (event === 'challenge') {
      const { challenge, serverTime } = data;
      queries.setQueryData(['challenges', 'one', challenge.id], { challenge, serverTime, readAt: Date.now() });
      if (challenge.decisionAvailable && !told.has(challenge.id)) {
        told.add(challenge.id);
        // Its text is on the way while the sheet is drawn.
        void queries.prefetchQuery(askedQuery(challenge, 'approve'));
        onRaised(challenge.id);
      }
    }
    touch(['challenges']);
  }
};

const watchEvents = async (signal: AbortSignal, touch: Touch): Promise<void> => {
  let isFirst = true;
  for await (const { event } of client.events.watchUserEvents({}, { signal })) {
    // The screens have just read everything before the first checkpoint.
    if (event === 'checkpoint') isFirst = false;
    else if (!isFirst) touch(touchedBy(event));
  }
};

/** Keeps the screens of a registered person up to date while it is mounted. */
export const useLive = (isOn: boolean, onRaised: Told): void => {
  useEffect(() => {
    if (!isOn) return;
    const stop = new AbortController();
    const touch = gather(stop.signal);
    void keepWatching(stop.signal, () => watchChallenges(stop.signal, touch, onRaised));
    void keepWatching(stop.signal, () => watchEvents(stop.signal, touch));
    return () => stop.abort();
  }, [isOn, onRaised]);
};
