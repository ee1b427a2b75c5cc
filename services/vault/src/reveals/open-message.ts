import { CodedError } from '@florin/rpc/errors';
import type { z } from 'zod';

/**
 * Reads the content of a message to the vault. Its content is secret: the error names the member of the schema that does not fit, and nothing of what was sent.
 * @throws CodedError SEALED_MESSAGE_INVALID unless it is JSON that fits the schema
 */
export const openMessage = <S extends z.ZodType>(schema: S, text: string): z.output<S> => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new CodedError('SEALED_MESSAGE_INVALID');
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    const field = parsed.error.issues.find(({ path }) => path.length > 0)?.path.join('.');
    throw new CodedError('SEALED_MESSAGE_INVALID', field === undefined ? {} : { metadata: { field } });
  }
  return parsed.data;
};
