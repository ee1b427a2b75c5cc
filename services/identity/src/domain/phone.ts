import { parsePhoneNumberFromString } from 'libphonenumber-js';
import { z } from 'zod';

const E164 = /^\+[1-9]\d{6,14}$/;

/** Whether `text` is a phone number in E.164 (ITU-T) that its country really assigns, written canonically. */
export const isE164 = (text: string): boolean => {
  if (!E164.test(text)) return false;
  const parsed = parsePhoneNumberFromString(text);
  return parsed?.isValid() === true && parsed.number === text;
};

export const phoneSchema = z.string().refine(isE164, 'must be a phone number in E.164, for example +4915112345678');
