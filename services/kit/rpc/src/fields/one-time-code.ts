import { z } from 'zod';

/**
 * A one-time code as a person typed it. Only its length is bounded, to between 1 and 16 characters: a text that is not a code is a wrong
 * code and gets the error of a wrong code.
 */
export const oneTimeCodeSchema = z.string().min(1).max(16);
