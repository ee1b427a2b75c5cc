import { inIdleTime } from '@florin/ui/page/in-idle-time.ts';
import { shownLanguage } from '@florin/ui/page/preferences.ts';
import { useEffect } from 'react';
import { keepForOffline } from './api/app-update.ts';
import { keepLastKnown } from './api/last-known.ts';
import { useSession } from './api/session.ts';
import { isSandbox } from './environment.ts';
import { router } from './router.tsx';
import { Approval, OutsideWorld, Preferences } from './screens/above.ts';
import { NextScreen } from './screens/next/later.ts';

/** The screens that a person may open. */
const pieces = (): (() => unknown)[] => [
  () => import('./wallet/signer.ts'),
  ...Object.values(router.routesByPath).map((route) => () => router.loadRouteChunk(route)),
  ...(isSandbox ? [OutsideWorld.preload] : []),
  Preferences.preload,
];

/** Renews what is pushed to this browser, and opens the screens of notifications that are pressed. */
const hearNotifications = async (): Promise<void> => {
  const { followNotifications, renewPush } = await import('./api/push.ts');
  followNotifications((path) => router.history.push(path));
  await renewPush(shownLanguage()).catch(() => undefined);
};

/** Loads, once somebody is signed in, the files of all screens, so that opening one waits for nothing, and keeps them for a start without a connection. A signed-out page loads only what it shows. */
export const useLoadAhead = (): void => {
  const isUser = useSession() === 'user';
  useEffect(() => {
    if (!isUser) return;
    const stop = new AbortController();
    // A newcomer sees it next; a payment that waits for a decision opens by itself, and its time runs.
    void Promise.all([NextScreen.preload(), Approval.preload(), import('@florin/client/viem')]).catch(() => undefined);
    void inIdleTime([...pieces(), keepForOffline], stop.signal);
    const stopKeeping = keepLastKnown();
    void hearNotifications();
    return () => {
      stop.abort();
      stopKeeping();
    };
  }, [isUser]);
};
