import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { Event } from '@florin/proto/events/v1/event';
import { z } from 'zod';
import { type Kind, kindOf, worthMs } from '../domain/kinds.ts';
import { withDefaults } from '../domain/preferences.ts';
import type { Delivery } from '../store/deliveries.ts';
import type { DeviceStore } from '../store/devices.ts';
import type { PreferenceStore } from '../store/preferences.ts';

type Parts = {
  devices: Pick<DeviceStore, 'ofUsers'>;
  preferences: Pick<PreferenceStore, 'ofUsers'>;
  now: () => Date;
};

/** Whom an event concerns; events of the platform concern nobody. */
const ownerSchema = z.object({ userId: z.string().min(1) });

/** An event that its user may want to know of, still. */
type Concern = { event: Event; kind: Kind; userId: string; at: Date; expiresAt: Date };

const concernOf = (event: Event, time: Date): Concern[] => {
  const kind = kindOf(event.type);
  if (kind === undefined || event.timestamp === undefined) return [];
  const { data: owner } = ownerSchema.safeParse(JSON.parse(event.dataJson));
  const at = timestampDate(event.timestamp);
  const expiresAt = new Date(at.getTime() + worthMs(kind));
  return owner === undefined || expiresAt <= time ? [] : [{ event, kind, userId: owner.userId, at, expiresAt }];
};

/** The deliveries of events: of each, one for each device of its user, and a mail, as the user has chosen. */
export const planDeliveries = async ({ devices, preferences, now }: Parts, events: readonly Event[]): Promise<Delivery[]> => {
  const time = now();
  const concerns = events.flatMap((event) => concernOf(event, time));
  if (concerns.length === 0) return [];
  const users = [...new Set(concerns.map(({ userId }) => userId))];
  const [chosen, registered] = await Promise.all([preferences.ofUsers(users), devices.ofUsers(users)]);
  return concerns.flatMap(({ event, kind, userId, at, expiresAt }) => {
    const { push, email } = withDefaults(chosen.get(userId)).kinds[kind];
    const common = {
      userId,
      eventId: event.id,
      type: event.type,
      subject: event.subject,
      data: event.dataJson,
      at,
      expiresAt,
      dueAt: time,
      attempts: 0,
    };
    const own = push ? registered.filter((device) => device.userId === userId) : [];
    return [
      ...own.map(({ id }) => ({ ...common, id: `${event.id}:${id}`, deviceId: id })),
      ...(email ? [{ ...common, id: `${event.id}:mail` }] : []),
    ];
  });
};
