import { type DescEnum, type DescEnumValue, getOption } from '@bufbuild/protobuf';
import { word as wordOption } from '@florin/proto/options/v1/options';

/** The word of an enum's value outside of its contract: the one that the contract states, or the name without the prefix, in lower case. */
const wordOf = (value: DescEnumValue): string => getOption(value, wordOption) || value.localName.toLowerCase();

/**
 * The words of an enum's values, without that of zero, which stands for an absent value.
 * @param among numbers of values; default: all
 */
export const wordsOf = ({ values }: DescEnum, among?: readonly number[]): string[] =>
  values.filter(({ number }) => number !== 0 && among?.includes(number) !== false).map(wordOf);

type Values = Readonly<Record<string, number>>;

/** The words of an enum: the names of its values in lower case, without that of zero. */
export type Word<E extends Values> = Lowercase<Exclude<keyof E & string, 'UNSPECIFIED'>>;

/** A translation between the values of an enum and their words. */
export type Words<E extends Values> = {
  /** All words, in the order of the values. */
  all: readonly Word<E>[];
  /** The word of a value; undefined for zero and for values that this contract does not know. */
  toWord: (value: number) => Word<E> | undefined;
  /** The value of a word; zero without a word. */
  toValue: (word: Word<E> | undefined) => E[keyof E];
};

/** Creates the translation of an enum whose contract states no other words (option `word`). */
export const createWords = <E extends Values>(values: E): Words<E> => {
  const stated = Object.entries(values)
    .filter(([, value]) => value !== 0)
    .map(([name, value]) => [name.toLowerCase() as Word<E>, value] as const);
  const byWord = new Map(stated);
  const byValue = new Map(stated.map(([word, value]) => [value, word]));
  return {
    all: [...byWord.keys()],
    toWord: (value) => byValue.get(value),
    toValue: (word) => (word === undefined ? 0 : byWord.get(word)) as E[keyof E],
  };
};
