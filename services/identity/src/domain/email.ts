import { z } from 'zod';

/** Longest address that fits an SMTP path (RFC 5321, section 4.5.3.1.3). */
const MAX_LENGTH = 254;

/** E-mail address as typed, without surrounding white space. */
export const emailSchema = z
  .string()
  .max(MAX_LENGTH + 64)
  .transform((text) => text.trim().normalize('NFC'))
  .pipe(z.email({ error: 'must be an e-mail address' }).max(MAX_LENGTH));

/**
 * Key under which two spellings of an address are the same. Dots and `+tags` are kept: only the receiving host knows whether they
 * matter (RFC 5321, section 2.3.11), and guessing would let one person's address block another's.
 */
export const emailKeyOf = (email: string): string => email.trim().normalize('NFC').toLowerCase();
