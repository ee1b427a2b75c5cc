import { CodedError } from '@florin/rpc/errors';
import { cardNameOf } from '../domain/card-name.ts';

/**
 * Reads the name of a card from a field of a request.
 * @throws CodedError VALIDATION_FAILED
 */
export const readCardName = (field: string, text: string): string => {
  const name = cardNameOf(text);
  if (name === undefined) throw new CodedError('VALIDATION_FAILED', { message: `${field}: must be 1 to 26 printable characters` });
  return name;
};
