import { domainToASCII } from 'node:url';
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
 * Key under which two spellings of an address are the same: no surrounding white space, Unicode NFC, lower case, and the domain with its
 * labels in ASCII (RFC 5890). Dots and `+tags` are kept: only the receiving host knows whether they matter (RFC 5321, section 2.3.11), and
 * guessing would let one person's address block another's.
 */
export const emailKeyOf = (email: string): string => {
  const text = email.trim().normalize('NFC').toLowerCase();
  const at = text.lastIndexOf('@');
  const domain = at === -1 ? '' : domainToASCII(text.slice(at + 1));
  return domain === '' ? text : `${text.slice(0, at)}@${domain}`;
};
