import { z } from 'zod';

/** A text that may be left out: proto3 sends what is not set as an empty one. Empty is undefined, everything else must fit. */
export const unlessEmpty = <S extends z.ZodType<string, string>>(schema: S) =>
  z.preprocess((text) => (text === '' ? undefined : text), schema.optional());
