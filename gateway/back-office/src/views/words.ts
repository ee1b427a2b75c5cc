import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';

/** The name of a value of a contract's enumeration, in lower case with hyphens; `unknown` for one that this release does not know. */
export const wordOf = (values: Readonly<Record<string, number | string>>, value: number): string => {
  const [name] = Object.entries(values).find(([, one]) => one === value) ?? [];
  return name === undefined || value === 0 ? 'unknown' : name.toLowerCase().replaceAll('_', '-');
};

/** A time of a contract, ISO 8601. An absent one, which contracts rule out here, is the epoch. */
export const isoOf = (time: Timestamp | undefined): string => (time === undefined ? new Date(0) : timestampDate(time)).toISOString();

/** The same, absent when it is. */
export const isoUnlessAbsent = <K extends string>(key: K, time: Timestamp | undefined): Partial<Record<K, string>> =>
  time === undefined ? {} : ({ [key]: isoOf(time) } as Record<K, string>);

/** A text, absent when it is empty. */
export const unlessEmpty = <K extends string>(key: K, text: string): Partial<Record<K, string>> =>
  text === '' ? {} : ({ [key]: text } as Record<K, string>);

/** Where the next page begins, absent on the last one. */
export const nextOf = (cursor: string | undefined): { nextCursor?: string } => unlessEmpty('nextCursor', cursor ?? '');

/** An e-mail address with most of it hidden. */
export const maskEmail = (email: string): string => email.replace(/^(.?)[^@]*@/u, '$1•••@');
