import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type PersonalDataSection, personalDataService } from '@florin/data/privacy';
import {
  type DeleteSubscriptionRequest,
  type GetPreferencesRequest,
  type GetPushKeyRequest,
  Language,
  NotificationKind,
  NotificationService,
  type PutSubscriptionRequest,
  type SetPreferencesRequest,
  type Preferences as WirePreferences,
} from '@florin/proto/notifications/v1/notification_service';
import { createWords, requireFields } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import { implement, publicMethod, type ServiceImplementation, userMethod } from '@florin/rpc/server';
import { type EndpointRules, isAllowedEndpoint } from '../domain/endpoint-rules.ts';
import { KINDS, type Kind } from '../domain/kinds.ts';
import { type Channels, isTimeZone, type Preferences, withDefaults } from '../domain/preferences.ts';
import type { DeliveryStore } from '../store/deliveries.ts';
import type { Device, DeviceStore } from '../store/devices.ts';
import type { PreferenceStore } from '../store/preferences.ts';

/** Everything that the handlers work with. */
export type Dependencies = {
  devices: DeviceStore;
  preferences: PreferenceStore;
  deliveries: Pick<DeliveryStore, 'page' | 'removeOf'>;
  /** Public key of Web Push; undefined where there is none. */
  pushKey: string | undefined;
  endpointRules: EndpointRules;
  /** Has the user of a token mailed that a browser is being registered. @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT */
  tellOfDevice: (call: { token: string; requestId: string }) => Promise<void>;
  now: () => Date;
};

const kinds = createWords(NotificationKind);
const languages = createWords(Language);

const toWireDevice = ({ id, language, createdAt, renewedAt }: Device) => ({
  id,
  language: languages.toValue(language),
  createdAt: timestampFromDate(createdAt),
  renewedAt: timestampFromDate(renewedAt),
});

const toWirePreferences = (chosen: Preferences) => ({
  kinds: KINDS.map((kind) => ({ kind: kinds.toValue(kind), ...chosen.kinds[kind] })),
  language: languages.toValue(chosen.language),
  ...(chosen.quietHours === undefined ? {} : { quietHours: chosen.quietHours }),
});

/** @throws CodedError VALIDATION_FAILED for a kind that is named twice, for quiet hours without an end, and for an unknown time zone */
const fromWirePreferences = ({ kinds: chosen, quietHours, language }: WirePreferences): Preferences => {
  requireFields({
    'preferences.kinds': new Set(chosen.map(({ kind }) => kind)).size === chosen.length ? undefined : 'must not name a kind twice',
    'preferences.quiet_hours.time_zone':
      quietHours === undefined || isTimeZone(quietHours.timeZone) ? undefined : 'must be a time zone of the IANA database',
    'preferences.quiet_hours.to_minute':
      quietHours === undefined || quietHours.fromMinute !== quietHours.toMinute ? undefined : 'must not be equal to from_minute',
  });
  const byKind = chosen.map(({ kind, push, email }) => [kinds.toWord(kind) as Kind, { push, email }] as const);
  return withDefaults({
    kinds: Object.fromEntries(byKind) as Partial<Record<Kind, Channels>>,
    language: languages.toWord(language) ?? 'en',
    ...(quietHours === undefined
      ? {}
      : { quietHours: { fromMinute: quietHours.fromMinute, toMinute: quietHours.toMinute, timeZone: quietHours.timeZone } }),
  });
};

/** The RPCs about the personal data of notifications: devices without their secrets, preferences, and what was sent in the last week. */
const servePersonalData = ({ devices, preferences, deliveries, now }: Dependencies): ServiceImplementation => {
  const deviceSection: PersonalDataSection = {
    kind: 'notification_device',
    page: async (userId) => ({
      records: (await devices.ofUser(userId)).map(({ id, language, createdAt, renewedAt }) => ({ id, language, createdAt, renewedAt })),
    }),
  };
  const preferenceSection: PersonalDataSection = {
    kind: 'notification_preferences',
    page: async (userId) => {
      const found = await preferences.find(userId);
      return { records: found === undefined ? [] : [found] };
    },
  };
  const deliverySection: PersonalDataSection = {
    kind: 'notification',
    page: async (userId, { limit, after }) => {
      const found = await deliveries.page(userId, { limit, after });
      return {
        records: found.map(({ id, type, subject, at, deviceId }) => ({ id, type, subject, at, deviceId })),
        next: found.length < limit ? undefined : found.at(-1)?.id,
      };
    },
  };
  return personalDataService({
    sections: [deviceSection, preferenceSection, deliverySection],
    runtime: { now },
    // Devices first: nothing is planned for a user without devices and preferences.
    erase: async (userId) => {
      await devices.removeOf(userId);
      await preferences.remove(userId);
      await deliveries.removeOf(userId);
    },
  });
};

/** Implementations of the contracts that this service serves. */
export const implementations = (dependencies: Dependencies): ServiceImplementation[] => {
  const { devices, preferences, pushKey, endpointRules, tellOfDevice, now } = dependencies;
  return [
    implement(NotificationService, {
      getPushKey: publicMethod((_request: GetPushKeyRequest) => ({ publicKey: pushKey ?? '' })),

      putSubscription: userMethod(async ({ endpoint, p256dh, auth, language }: PutSubscriptionRequest, call) => {
        const { caller } = call;
        if (pushKey === undefined) throw new CodedError('PUSH_NOT_AVAILABLE');
        if (!isAllowedEndpoint(endpoint, endpointRules)) throw new CodedError('PUSH_ENDPOINT_FORBIDDEN');
        // A device shows what happens for as long as it is registered, also after the session that registered it.
        if (!(await devices.isOwn(endpoint, caller.userId))) await tellOfDevice(call);
        const device = await devices.put(
          { userId: caller.userId, language: languages.toWord(language) ?? 'en', subscription: { endpoint, p256dh, auth } },
          now(),
        );
        return { device: toWireDevice(device) };
      }),

      deleteSubscription: userMethod(async ({ id }: DeleteSubscriptionRequest, { caller }) => {
        await devices.remove(id, caller.userId);
        return {};
      }),

      getPreferences: userMethod(async (_request: GetPreferencesRequest, { caller }) => {
        const [chosen, own] = await Promise.all([preferences.find(caller.userId), devices.ofUser(caller.userId)]);
        return { preferences: toWirePreferences(withDefaults(chosen)), devices: own.map(toWireDevice) };
      }),

      setPreferences: userMethod(async (request: SetPreferencesRequest, { caller }) => {
        if (request.preferences === undefined) throw new CodedError('VALIDATION_FAILED', { message: 'preferences: is required' });
        const chosen = fromWirePreferences(request.preferences);
        await preferences.replace(caller.userId, chosen, now());
        return { preferences: toWirePreferences(chosen) };
      }),
    }),
    servePersonalData(dependencies),
  ];
};
