/**
 * Keeps the page and its files, and nothing of any person, so that the app starts at once and without a connection, and shows notifications while it is closed. A build has a cache of its own; the
 * one that is used stays until the page asks for the next, because files of two builds do not go together.
 */

/** The files of this build, below /app/. Filled in by the build. */
declare const __FILES__: readonly string[];

type Extendable = Event & { waitUntil: (done: Promise<unknown>) => void };
type Fetching = Extendable & { request: Request; respondWith: (answer: Promise<Response>) => void };

type Pushed = Extendable & { data: { json: () => unknown } | null };
type Pressed = Extendable & { notification: Notification };
type Window = { url: string; focus: () => Promise<unknown>; postMessage: (message: unknown) => void };

type Worker = {
  addEventListener: ((type: 'install' | 'activate', listener: (event: Extendable) => void) => void) &
    ((type: 'fetch', listener: (event: Fetching) => void) => void) &
    ((type: 'message', listener: (event: MessageEvent) => void) => void) &
    ((type: 'push', listener: (event: Pushed) => void) => void) &
    ((type: 'notificationclick', listener: (event: Pressed) => void) => void);
  skipWaiting: () => Promise<void>;
  registration: { showNotification: (title: string, options: NotificationOptions) => Promise<void> };
  clients: {
    claim: () => Promise<void>;
    matchAll: (options: { type: 'window'; includeUncontrolled: true }) => Promise<readonly Window[]>;
    openWindow: (url: string) => Promise<unknown>;
  };
};

const worker = self as unknown as Worker;

const PAGE = '/app';

const FILES = __FILES__.map((file) => `/app/${file}`);

/** Names of files have the hash of their content, so that together they name the build. */
const nameBuild = async (): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(FILES.join()));
  return `florin-${[...new Uint8Array(digest).slice(0, 8)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
};

const NAME = nameBuild();

const fill = async (): Promise<void> => {
  const cache = await caches.open(await NAME);
  await cache.addAll([PAGE, ...FILES]);
};

const dropOthers = async (): Promise<void> => {
  const name = await NAME;
  for (const other of await caches.keys()) if (other !== name) await caches.delete(other);
  await worker.clients.claim();
};

/** The kept page; what the platform tells it is that of the next start. A page of another build is left to the next worker. */
const refreshPage = async (): Promise<void> => {
  const fresh = await fetch(PAGE);
  const text = await fresh.clone().text();
  const isOfThisBuild = [...text.matchAll(/"(\/app\/assets\/[^"]+)"/g)].every(([, file = '']) => FILES.includes(file));
  if (fresh.ok && isOfThisBuild) await (await caches.open(await NAME)).put(PAGE, fresh);
};

const kept = async (key: string, request: Request): Promise<Response> =>
  (await (await caches.open(await NAME)).match(key)) ?? fetch(request);

/** A message of the platform (`services/notifications`). */
type Message = { title: string; body: string; tag: string; path: string; language: string; urgent: boolean };

/** Shows what was pushed. A repeat has the same tag, and replaces what is shown, silently. */
const show = async ({ title, body, tag, path, language, urgent }: Message): Promise<void> => {
  const options = { body, tag, lang: language, requireInteraction: urgent, icon: '/app/icon-192.png', data: { path } };
  await worker.registration.showNotification(title, options);
};

/** Opens the screen that a notification is about: in the app where it is open, otherwise in a new window. */
const openScreen = async (path: string): Promise<void> => {
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const open = windows.find(({ url }) => new URL(url).pathname.startsWith(PAGE));
  if (open === undefined) await worker.clients.openWindow(`${PAGE}${path}`);
  else {
    open.postMessage({ open: `${PAGE}${path}` });
    await open.focus();
  }
};

worker.addEventListener('push', (event) => {
  if (event.data !== null) event.waitUntil(show(event.data.json() as Message));
});
worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { path } = event.notification.data as { path: string };
  // Only screens of the app, whatever was sent.
  if (/^(?:\/[\w-]+)*(?:\?approve=[0-9a-f-]{36})?$/.test(path)) event.waitUntil(openScreen(path));
});
worker.addEventListener('install', (event) => event.waitUntil(fill()));
worker.addEventListener('activate', (event) => event.waitUntil(dropOthers()));
worker.addEventListener('message', ({ data }) => {
  if (data === 'activate') void worker.skipWaiting();
});
worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (request.mode === 'navigate') {
    event.respondWith(kept(PAGE, request));
    event.waitUntil(refreshPage().catch(() => undefined));
  } else if (FILES.includes(pathname)) event.respondWith(kept(pathname, request));
});
