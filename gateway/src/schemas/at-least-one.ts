import type { z } from 'zod';

const ABSENT = { not: {} };

/**
 * JSON Schema of objects that have at least one of the fields. Not `anyOf`, for which generators of clients lose the fields of the object.
 */
export const atLeastOne = (...names: string[]) => ({ not: { properties: Object.fromEntries(names.map((name) => [name, ABSENT])) } });

/** The same object with some of its fields, at least one. */
export const someOf = <S extends z.ZodRawShape>(schema: z.ZodObject<S>) =>
  schema
    .partial()
    .refine((given) => Object.values(given).some((value) => value !== undefined), {
      error: 'must have at least one field',
      // A misspelt one is said to be unknown.
      when: ({ issues }) => issues.length === 0,
    })
    .meta(atLeastOne(...Object.keys(schema.shape)));
