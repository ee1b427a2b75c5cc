import { z } from 'zod';

/** TCP port; 0 selects a free port. */
export const port = z.coerce.number().int().min(0).max(65_535);

/** `true` or `false`, as a boolean. */
export const flag = z.enum(['true', 'false']).transform((text) => text === 'true');

/** Absolute http or https URL, as text. */
export const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });

/** 32 bytes in base64url, as bytes. */
export const masterKey = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/, 'must be 32 bytes in base64url')
  .transform((text) => new Uint8Array(Buffer.from(text, 'base64url')));

/** JSON text whose value matches `schema`, as that value. */
export const json = <S extends z.ZodType>(schema: S) =>
  z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue({ code: 'custom', message: 'must be JSON' });
        return z.NEVER;
      }
    })
    .pipe(schema);

/** Keys with ids, `[{"id":"2","key":"<32 bytes in base64url>"},…]`. The id of a key must never name another one. */
export const versionedKeys = json(
  z
    .array(
      z.object({ id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'must be lower-case letters, digits and hyphens'), key: masterKey }),
    )
    .min(1)
    .max(16)
    .refine((keys) => new Set(keys.map(({ id }) => id)).size === keys.length, 'must not contain the same id twice'),
);

/** A key and its id, as `versionedKeys` reads them. */
export type VersionedKey = z.output<typeof versionedKeys>[number];

/** Positive whole number of seconds. */
export const seconds = z.coerce.number().int().positive();
