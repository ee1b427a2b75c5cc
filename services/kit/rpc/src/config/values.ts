import { z } from 'zod';

/** TCP port; 0 selects a free port. */
export const port = z.coerce.number().int().min(0).max(65_535);

export const flag = z.enum(['true', 'false']).transform((text) => text === 'true');

export const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });

/** 32 bytes in base64url. */
export const masterKey = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/, 'must be 32 bytes in base64url')
  .transform((text) => new Uint8Array(Buffer.from(text, 'base64url')));

/** JSON text that matches `schema`. */
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

export const seconds = z.coerce.number().int().positive();
