import leven from 'leven';
import { z } from 'zod';

/** A misspelt name differs from the one that was meant by at most this share of its length. */
const MAX_DIFFERENCE = 0.4;

/** The known name that a misspelt one means, if one is near enough. */
export const nearest = (name: string, known: readonly string[]): string | undefined => {
  const ranked = known
    .map((candidate) => ({ candidate, distance: leven(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((one, other) => one.distance - other.distance)[0];
  return ranked !== undefined && ranked.distance <= name.length * MAX_DIFFERENCE ? ranked.candidate : undefined;
};

/** Names longer than this, or in other characters, are not repeated in an error. */
const PRINTABLE_NAME = /^[\w.$-]{1,40}$/;

/** `<name>: is unknown, did you mean <name>?` for each unknown field of an object, separated by `; `. */
export const describeUnknown = ({ keys, inst }: { keys: readonly string[]; inst?: unknown }): string => {
  const known = inst instanceof z.ZodObject ? Object.keys(inst.shape) : [];
  const describe = (name: string): string => {
    if (!PRINTABLE_NAME.test(name)) return 'a field: is unknown';
    const meant = nearest(name, known);
    return meant === undefined ? `${name}: is unknown` : `${name}: is unknown, did you mean ${meant}?`;
  };
  return keys.map(describe).join('; ');
};
