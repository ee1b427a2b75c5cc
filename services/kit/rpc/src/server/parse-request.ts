import type { z } from 'zod';
import { CodedError } from '../errors/index.ts';

/**
 * Parses a request message at the edge of a service.
 * @throws CodedError VALIDATION_FAILED with `<path>: <what is wrong>; …`, never the value
 */
export const parseRequest = <S extends z.ZodType>(schema: S, request: unknown): z.output<S> => {
  const parsed = schema.safeParse(request);
  if (parsed.success) return parsed.data;
  const message = parsed.error.issues.map(({ path, message: what }) => `${path.join('.') || 'request'}: ${what}`).join('; ');
  throw new CodedError('VALIDATION_FAILED', { message });
};
