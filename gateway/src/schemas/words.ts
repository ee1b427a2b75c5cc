import { createWords } from '@florin/rpc/contract';
import { z } from 'zod';
import { present } from './fields.ts';

/** The words of an enumeration of a contract, with the schema of a field that has one. */
export const wordsOf = <E extends Readonly<Record<string, number>>>(values: E) => {
  const { all, toWord, toValue } = createWords(values);
  return {
    schema: z.enum(all),
    /** The word of a value. @throws CodedError INTERNAL_ERROR for zero, and for a value of a newer contract */
    toWord: (value: number) => present(toWord(value), 'known status'),
    toValue,
  };
};
