import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { Event } from '@florin/proto/events/v1/event';
import { z } from 'zod';
import { kindOf, worthMs } from '../domain/kinds.ts';
import { withDefaults } from '../domain/preferences.ts';
import type { Delivery } from '../store/deliveries.ts';
import type { DeviceStore } from '../store/devices.ts';
import type { PreferenceStore } from '../store/preferences.ts';

type Parts = {
  devices: Pick<DeviceStore, 'ofUser'>;
  preferences: Pick<PreferenceStore, 'find'>;
  now: () => Date;
};

/** Whom an event concerns; events of the platform concern nobody. */
const ownerSchema = z.object({ userId: z.string().min(1) });

/** The deliveries of an event: one for each device of its user, and a mail, as the user has chosen. */
export const planDeliveries = async ({ devices, preferences, now }: Parts, event: Event): Promise<Delivery[]> => {
  const kind = kindOf(event.type);
  if (kind === undefined || event.timestamp === undefined) return [];
  const { data: owner } = ownerSchema.safeParse(JSON.parse(event.dataJson));
  if (owner === undefined) return [];
  const { userId } = owner;
  const at = timestampDate(event.timestamp);
  const expiresAt = new Date(at.getTime() + worthMs(kind));
  const time = now();
  if (expiresAt <= time) return [];
  const [chosen, registered] = await Promise.all([preferences.find(userId), devices.ofUser(userId)]);
  const { push, email } = withDefaults(chosen).kinds[kind];
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
  return [
    ...(push ? registered.map(({ id }) => ({ ...common, id: `${event.id}:${id}`, deviceId: id })) : []),
    ...(email ? [{ ...common, id: `${event.id}:mail` }] : []),
  ];
};
