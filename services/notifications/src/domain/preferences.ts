import { KINDS, type Kind } from './kinds.ts';

export const LANGUAGES = ['en', 'de', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];

/** How a user is notified of one kind. */
export type Channels = { push: boolean; email: boolean };

/** A part of every day, in minutes after midnight of a time zone. */
export type QuietHours = { fromMinute: number; toMinute: number; timeZone: string };

/** A user's choices. */
export type Preferences = {
  kinds: Readonly<Record<Kind, Channels>>;
  quietHours?: QuietHours | undefined;
  /** Of mails. */
  language: Language;
};

const DEFAULT_CHANNELS: Channels = { push: true, email: false };

/** Those of a user who has chosen nothing, with what was chosen. Kinds that a later release added have their defaults. */
export const withDefaults = ({
  kinds = {},
  quietHours,
  language = 'en',
}: {
  kinds?: Readonly<Partial<Record<Kind, Channels>>>;
  quietHours?: QuietHours | undefined;
  language?: Language;
} = {}): Preferences => ({
  kinds: Object.fromEntries(KINDS.map((kind) => [kind, kinds[kind] ?? DEFAULT_CHANNELS])) as Record<Kind, Channels>,
  ...(quietHours === undefined ? {} : { quietHours }),
  language,
});

/** Reports whether a text names a time zone of the IANA database. */
export const isTimeZone = (text: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
};

const MINUTES_OF_DAY = 24 * 60;
const MINUTE_MS = 60_000;

const minuteIn = (time: Date, timeZone: string): number => {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).formatToParts(time);
  const partOf = (wanted: string): number => Number(parts.find(({ type }) => type === wanted)?.value);
  return partOf('hour') * 60 + partOf('minute');
};

/** The minutes until the quiet hours of a time end; 0 outside of them. */
const minutesLeft = ({ fromMinute, toMinute, timeZone }: QuietHours, time: Date): number => {
  const since = (minuteIn(time, timeZone) - fromMinute + MINUTES_OF_DAY) % MINUTES_OF_DAY;
  const length = (toMinute - fromMinute + MINUTES_OF_DAY) % MINUTES_OF_DAY;
  return since < length ? length - since : 0;
};

/** When a device may be disturbed: now, or at the first minute after the quiet hours. A change of the clock in between moves it by an hour at most. */
export const firstLoudTime = (quietHours: QuietHours | undefined, now: Date): Date => {
  const left = quietHours === undefined ? 0 : minutesLeft(quietHours, now);
  return left === 0 ? now : new Date(Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS + left * MINUTE_MS);
};
