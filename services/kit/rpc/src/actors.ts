import type { ServiceCaller } from './auth/index.ts';
import { CodedError } from './errors/index.ts';

/** A name without what readers do not see: case, invisible characters, kinds of spaces, and compatibility forms (UAX #15, NFKC). */
export const foldName = (name: string): string =>
  name
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFKC')
    .replace(/\s+/gu, ' ')
    .trim()
    .toLowerCase();

/** Reports whether two names mean the same person. */
export const isSameActor = (a: string, b: string): boolean => foldName(a) === foldName(b);

/**
 * Requires that a caller may act under a name: a person acts under their own, a process vouches for the names of its users.
 * @throws CodedError FORBIDDEN
 */
export const assertOwnName = ({ name, person }: ServiceCaller, actor: string): void => {
  if (person === true && !isSameActor(name, actor)) {
    throw new CodedError('FORBIDDEN', { message: 'actor: must be the name of the client, which is a person' });
  }
};
