import { parsePhoneNumberFromString } from 'libphonenumber-js';

/** ITU-T E.164: at most 15 digits, including the country code. */
const E164 = /^\+[1-9]\d{6,14}$/;

const isPhoneNumber = (text: string): boolean => {
  if (!E164.test(text)) return false;
  const parsed = parsePhoneNumberFromString(text);
  return parsed?.isValid() === true && parsed.number === text;
};

/**
 * The problem of a text that is no valid phone number of its country in canonical form (ITU-T E.164). The number is neither guessed nor corrected, so that
 * the stored number is the one that was sent, and each number has one spelling.
 */
export const phoneProblem = (text: string): string | undefined =>
  isPhoneNumber(text) ? undefined : 'must be a phone number in E.164, for example +4915112345678';

/** Country of a phone number in E.164 (ISO 3166-1 alpha-2), or undefined when its number range belongs to no country. */
export const phoneCountryOf = (phone: string): string | undefined => parsePhoneNumberFromString(phone)?.country;
