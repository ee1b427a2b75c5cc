import { parsePhoneNumberFromString } from 'libphonenumber-js';
import { z } from 'zod';

/** Longest number of ITU-T E.164: 15 digits, the country code among them. */
const E164 = /^\+[1-9]\d{6,14}$/;

const isPhoneNumber = (text: string): boolean => {
  if (!E164.test(text)) return false;
  const parsed = parsePhoneNumberFromString(text);
  return parsed?.isValid() === true && parsed.number === text;
};

/**
 * A phone number that its country really assigns, in its one canonical spelling (ITU-T E.164): nothing is guessed or repaired, so
 * that what is stored is what was sent, and the same number is never taken for two.
 */
export const phoneSchema = z.string().refine(isPhoneNumber, 'must be a phone number in E.164, for example +4915112345678');

/** Country of a phone number in E.164 (ISO 3166-1 alpha-2), or undefined when its number range belongs to no country. */
export const phoneCountryOf = (phone: string): string | undefined => parsePhoneNumberFromString(phone)?.country;
