import { createListeners } from '@florin/ui/page/listeners.ts';
import { useSyncExternalStore } from 'react';

const SCRIPT = '/app/sw.js';

/** The name of the policy in the page's content security policy, which permits this one URL. */
const POLICY = 'service-worker';

type TrustedTypes = {
  createPolicy: (name: string, rules: { createScriptURL: (url: string) => string }) => { createScriptURL: (url: string) => string };
};

let waiting: ServiceWorker | undefined;
const { tell, subscribe } = createListeners();

const scriptUrl = (): string => {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  return trustedTypes === undefined ? SCRIPT : trustedTypes.createPolicy(POLICY, { createScriptURL: () => SCRIPT }).createScriptURL('');
};

/** A worker that waits has the next version; the first one that a browser has replaces nothing. */
const offer = ({ waiting: next }: ServiceWorkerRegistration): void => {
  if (next === null || navigator.serviceWorker.controller === null) return;
  waiting = next;
  tell();
};

const register = async (): Promise<void> => {
  const registration = await navigator.serviceWorker.register(scriptUrl(), { scope: '/app' });
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', () => offer(registration));
  });
  offer(registration);
  // An app on a phone is seldom started anew.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void registration.update().catch(() => undefined);
  });
};

let isStarted = false;

/** Lets the app start without a connection from now on. Where the browser has no service workers, or forbids them, it needs one. */
export const keepForOffline = async (): Promise<void> => {
  if (isStarted || !import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  isStarted = true;
  await register().catch(() => undefined);
};

/** Reports whether a later version of the app waits. */
export const useIsUpdateWaiting = (): boolean => useSyncExternalStore(subscribe, () => waiting !== undefined);

/** Goes on with the later version. */
export const update = (): void => {
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
  waiting?.postMessage('activate');
};
