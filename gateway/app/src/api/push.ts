import type { Language } from '@florin/ui/i18n/translator.tsx';
import { client } from './client.ts';
import { queries } from './queries.ts';

/** The id under which the platform knows this browser. Forgotten with the subscription. */
const KEY = 'florin.device';

/** Reports whether this browser can show notifications while the app is closed. On an iPhone, an app on the home screen can. */
export const canPush = (): boolean => 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;

const registration = (): Promise<ServiceWorkerRegistration> => navigator.serviceWorker.ready;

const toBytes = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));

/** Tells the platform of a subscription. */
const register = async (subscription: PushSubscription, language: Language): Promise<string> => {
  const { endpoint = '', keys = {} } = subscription.toJSON();
  const { id } = await client.notifications.putNotificationSubscription({
    endpoint,
    keys: { p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' },
    language,
  });
  localStorage.setItem(KEY, id);
  return id;
};

/** This browser's subscription; undefined if nothing is pushed to it. */
const subscriptionHere = async (): Promise<PushSubscription | undefined> => {
  if (!canPush() || Notification.permission !== 'granted') return undefined;
  const own = await navigator.serviceWorker.getRegistration('/app');
  return (await own?.pushManager.getSubscription()) ?? undefined;
};

/** The id of this browser among the devices; undefined if nothing is pushed to it. */
export const deviceHere = async (): Promise<string | undefined> =>
  (await subscriptionHere()) === undefined ? undefined : (localStorage.getItem(KEY) ?? undefined);

/** The outcome of asking to be notified here. */
export type Enabled = 'enabled' | 'denied';

/** Asks for the permission to show notifications, and subscribes. @param publicKey of the platform */
export const enablePush = async (publicKey: string, language: Language): Promise<Enabled> => {
  if ((await Notification.requestPermission()) !== 'granted') return 'denied';
  const { pushManager } = await registration();
  const options = { userVisibleOnly: true, applicationServerKey: toBytes(publicKey) };
  const earlier = await pushManager.getSubscription();
  // With another key of the platform, an earlier subscription receives nothing any more.
  const subscription = await pushManager.subscribe(options).catch(async (error: unknown) => {
    if (earlier === null) throw error;
    await earlier.unsubscribe();
    return pushManager.subscribe(options);
  });
  await register(subscription, language);
  await queries.invalidateQueries({ queryKey: ['notifications'] });
  return 'enabled';
};

/** Ends what is pushed to this browser. The platform is told first: what it does not know, it sends on. */
export const disablePush = async (): Promise<void> => {
  const id = await deviceHere();
  if (id !== undefined) await client.notifications.deleteNotificationSubscription({ subscriptionId: id });
  await (await subscriptionHere())?.unsubscribe();
  localStorage.removeItem(KEY);
  await queries.invalidateQueries({ queryKey: ['notifications'] });
};

/** Ends what is pushed to the person's other browsers, as a phone that was lost: the end of their sessions does not. */
export const disableOthers = async (): Promise<void> => {
  const [here, { devices }] = await Promise.all([deviceHere(), client.notifications.getNotificationPreferences()]);
  const others = devices.filter(({ id }) => id !== here);
  await Promise.all(others.map(({ id }) => client.notifications.deleteNotificationSubscription({ subscriptionId: id })));
  await queries.invalidateQueries({ queryKey: ['notifications'] });
};

/** Renews what this browser has subscribed, so that the platform knows of a change. */
export const renewPush = async (language: Language): Promise<void> => {
  const subscription = await subscriptionHere();
  if (subscription !== undefined && localStorage.getItem(KEY) !== null) await register(subscription, language);
};

/** Opens the screen of a notification that was pressed while the app is open. */
export const followNotifications = (open: (path: string) => void): void => {
  navigator.serviceWorker?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (typeof data === 'object' && data !== null && 'open' in data && typeof data.open === 'string') open(data.open);
  });
};
