import { useSyncExternalStore } from 'react';
import { chosenWallet, forgetWallet } from '../wallet/chosen-wallet.ts';
import { client } from './client.ts';
import { queries } from './queries.ts';

/** `starting` until the cookie was tried; `wallet`: signed in, and not registered; `user`: registered. */
export type SessionState = 'starting' | 'none' | 'wallet' | 'user';

let state: SessionState = 'starting';
let hasEnded = false;
const listeners = new Set<() => void>();

const change = (next: SessionState): void => {
  if (next === state) return;
  hasEnded = next === 'none' && state !== 'starting';
  state = next;
  if (next === 'none') queries.clear();
  for (const listener of listeners) listener();
};

/** Reads from the client who is signed in; after a sign-in, a registration and a start. */
export const readSession = async (): Promise<void> => {
  if (!(await client.session.isSignedIn())) return change('none');
  change((await client.session.userId()) === undefined ? 'wallet' : 'user');
};

/** Tries the cookie of an earlier visit. Without a connection the person counts as signed out, and can try again. */
export const startSession = async (): Promise<void> => {
  client.session.onChange((next) => {
    if (next === 'signed-out') change('none');
  });
  // Who has never signed in here, or signed out, has no cookie to try.
  if (chosenWallet() !== undefined) await client.session.refresh().catch(() => false);
  await readSession();
};

/** Ends the session here. The platform's part ends by itself later if it cannot be reached now. */
export const signOut = async (): Promise<void> => {
  forgetWallet();
  await client.session.end().catch(() => undefined);
  change('none');
};

/** For what needs a sign-in that is only minutes old. */
export const signInAgain = (): void => {
  void signOut();
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useSession = (): SessionState => useSyncExternalStore(subscribe, () => state);

/** Whether a session has ended since the page was opened, which the sign-in explains. */
export const hasSessionEnded = (): boolean => hasEnded;
