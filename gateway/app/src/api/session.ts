import { FlorinError } from '@florin/client';
import { kept } from '@florin/ui/page/kept.ts';
import { createListeners } from '@florin/ui/page/listeners.ts';
import { useSyncExternalStore } from 'react';
import { chosenWallet, forgetWallet } from '../wallet/chosen-wallet.ts';
import { client } from './client.ts';
import { forgetLastKnown } from './last-known.ts';
import { queries, userQuery } from './queries.ts';
import { forgetRecipientNames } from './recipient-names.ts';

/**
 * `starting` until the cookie was tried; `unreachable` while the platform does not answer, so that nobody knows; `wallet`: signed in, and not registered;
 * `user`: registered.
 */
export type SessionState = 'starting' | 'unreachable' | 'none' | 'wallet' | 'user';

let state: SessionState = 'starting';
let hasEnded = false;

/** Kept while the platform has not been told of a sign-out: the cookie of this browser is still good. */
const UNTOLD = 'florin.sign-out';

/** The reference and the time of an account that was closed in this page. */
export type Farewell = { reference: string | undefined; closedAt: string };

let isUntold = false;
let farewell: Farewell | undefined;
const drawn = createListeners();

const change = (next: SessionState): void => {
  if (next === state) return;
  hasEnded = next === 'none' && state !== 'starting' && state !== 'unreachable';
  state = next;
  if (next === 'none') {
    queries.clear();
    forgetLastKnown();
  }
  drawn.tell();
};

/** Tells the platform that the session is over. */
const tell = async (): Promise<void> => {
  kept.keep(UNTOLD, 'yes');
  isUntold = await client.session.end().then(
    () => false,
    () => true,
  );
  if (!isUntold) kept.forget(UNTOLD);
  drawn.tell();
};

/** Reads from the client who is signed in; after a sign-in, a registration and a start. */
export const readSession = async (): Promise<void> => {
  if (!(await client.session.isSignedIn())) return change('none');
  // A sign-in has replaced the cookie.
  kept.forget(UNTOLD);
  isUntold = false;
  change((await client.session.userId()) === undefined ? 'wallet' : 'user');
};

/** Pause before the cookie is tried again, in seconds. */
const RETRY_SECONDS = 3;

let retry: ReturnType<typeof setTimeout> | undefined;

/** Tries the cookie of an earlier visit, until the platform has answered. */
export const tryCookie = async (): Promise<void> => {
  clearTimeout(retry);
  try {
    await client.session.refresh();
  } catch (error) {
    const { retryAfterSeconds = RETRY_SECONDS } = error instanceof FlorinError ? error : {};
    retry = setTimeout(() => void tryCookie(), retryAfterSeconds * 1000);
    change('unreachable');
    return;
  }
  await readSession();
};

export const startSession = async (): Promise<void> => {
  client.session.onChange((next) => {
    if (next === 'signed-out') change('none');
  });
  if (kept.read(UNTOLD) !== undefined) await tell();
  // Without a sign-in here, or after a sign-out, there is no cookie to try.
  else if (chosenWallet() !== undefined) return tryCookie();
  await readSession();
};

/**
 * Ends the session. Where the platform cannot be told, it is over in this page only, which `useIsUntold` says; calling it again tries again.
 * @param keepsDevice this browser is still notified: the same person is about to sign in again; another person takes the subscription over
 */
export const signOut = async ({ keepsDevice = false } = {}): Promise<void> => {
  forgetWallet();
  // While the session is still good. Without a connection, the next person of this browser takes the subscription over.
  if (!keepsDevice && state === 'user' && globalThis.Notification?.permission === 'granted')
    await import('./push.ts').then(({ disablePush }) => disablePush()).catch(() => undefined);
  await tell();
  change('none');
};

/** Ends the session with the account, which was closed; the page says goodbye until `endFarewell`. */
export const closeAccount = async (left: Farewell): Promise<void> => {
  farewell = left;
  const wallets = queries.getQueryData(userQuery.queryKey)?.wallets ?? [];
  for (const address of [undefined, ...wallets.map((wallet) => wallet.address)]) forgetRecipientNames(address);
  await signOut();
};

export const endFarewell = (): void => {
  farewell = undefined;
  drawn.tell();
};

/** For what needs a sign-in that is only minutes old. */
export const signInAgain = (): void => {
  void signOut({ keepsDevice: true });
};

export const useSession = (): SessionState => useSyncExternalStore(drawn.subscribe, () => state);

export const useFarewell = (): Farewell | undefined => useSyncExternalStore(drawn.subscribe, () => farewell);

/** Reports whether the platform has not been told of a sign-out yet. */
export const useIsUntold = (): boolean => useSyncExternalStore(drawn.subscribe, () => isUntold);

/** Reports whether a session has ended since the page was opened, which the sign-in explains. */
export const hasSessionEnded = (): boolean => hasEnded;
