import { z } from 'zod';

/** An optional text field: the empty text, which proto3 uses for an unset field, becomes undefined; any other must match `schema`. */
export const unlessEmpty = <S extends z.ZodType<string, string>>(schema: S) =>
  z.preprocess((text) => (text === '' ? undefined : text), schema.optional());
