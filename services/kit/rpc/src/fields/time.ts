import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import { z } from 'zod';

/** A required point in time that JavaScript can represent (ECMA-262, section 21.4.1.1), as a Date. */
export const timeSchema = z
  .custom<Timestamp>((value) => value !== undefined, 'must be a time')
  .transform((timestamp) => timestampDate(timestamp))
  .refine((date) => !Number.isNaN(date.getTime()), 'must be a time');
