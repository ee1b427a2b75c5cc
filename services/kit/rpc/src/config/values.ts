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

/** Positive whole number of seconds. */
export const seconds = z.coerce.number().int().positive();
