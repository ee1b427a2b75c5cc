import { parsePhoneNumberFromString } from 'libphonenumber-js';
import { z } from 'zod';

/** Already in E.164 (ITU-T E.164, 15 digits at most): what is stored is what was sent, nothing is guessed. */
const E164 = /^\+[1-9]\d{6,14}$/;

const isPhoneNumber = (text: string): boolean => E164.test(text) && parsePhoneNumberFromString(text)?.isValid() === true;

/** A phone number in E.164; empty, as proto3 leaves what is not set, for none. */
export const optionalPhoneSchema = z
  .string()
  .refine((text) => text === '' || isPhoneNumber(text), 'must be a valid phone number in E.164')
  .transform((text) => (text === '' ? undefined : text));
