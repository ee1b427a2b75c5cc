import { domainToASCII } from 'node:url';
import { z } from 'zod';

/** Longest address that fits an SMTP path (RFC 5321, section 4.5.3.1.3). */
const MAX_LENGTH = 254;

const schema = z.email();

/**
 * An address without white space around it, composed (NFC).
 * @returns undefined for a text that is no address
 */
export const emailOf = (text: string): string | undefined => {
  const email = text.trim().normalize('NFC');
  return text.length <= MAX_LENGTH + 64 && email.length <= MAX_LENGTH && schema.safeParse(email).success ? email : undefined;
};

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
