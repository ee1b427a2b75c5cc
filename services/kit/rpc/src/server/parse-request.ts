import type { z } from 'zod';
import { CodedError } from '../errors/index.ts';

/**
 * Validates a request message at the edge of a service.
 * @throws CodedError VALIDATION_FAILED; the message lists `<path>: <problem>` separated by `; ` and never contains a value
 */
export const parseRequest = <S extends z.ZodType>(schema: S, request: unknown): z.output<S> => {
  const parsed = schema.safeParse(request);
  if (parsed.success) return parsed.data;
  const message = parsed.error.issues.map(({ path, message: problem }) => `${path.join('.') || 'request'}: ${problem}`).join('; ');
  throw new CodedError('VALIDATION_FAILED', { message });
};
