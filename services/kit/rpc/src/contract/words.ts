import { type DescEnum, type DescEnumValue, type EnumShape, getOption } from '@bufbuild/protobuf';
import { word as wordOption } from '@florin/proto/options/v1/options';

/** The word of an enum's value outside of its contract: the one that the contract states, or the name without the prefix, in lower case. */
const wordOf = (value: DescEnumValue): string => getOption(value, wordOption) || value.localName.toLowerCase();

/**
 * The words of an enum's values, without that of zero, which stands for an absent value.
 * @param among numbers of values; default: all
 */
export const wordsOf = ({ values }: DescEnum, among?: readonly number[]): string[] =>
  values.filter(({ number }) => number !== 0 && among?.includes(number) !== false).map(wordOf);

/** A translation between the values of an enum and their words. */
export type Words<V, W extends string> = {
  /** The word of a value; undefined for zero and for values that this contract does not know. */
  toWord: (value: V) => W | undefined;
  /** The value of a word; zero without a word. */
  toValue: (word: W | undefined) => V;
};

/**
 * Creates the translation of an enum.
 * @param words all words of the enum, as the code knows them
 * @throws Error when these are not the contract's
 */
export const createWords = <D extends DescEnum, W extends string>(desc: D, words: readonly W[]): Words<EnumShape<D>, W> => {
  const stated = desc.values.filter(({ number }) => number !== 0);
  const values = new Map(stated.map((value) => [wordOf(value) as W, value.number]));
  if (values.size !== words.length || !words.every((one) => values.has(one))) {
    throw new Error(`${desc.typeName} has the words ${[...values.keys()].join(', ')}, and the code ${words.join(', ')}`);
  }
  const byValue = new Map<number, W>([...values].map(([one, value]) => [value, one]));
  return {
    toWord: (value) => byValue.get(value),
    toValue: (one) => (one === undefined ? 0 : (values.get(one) ?? 0)) as EnumShape<D>,
  };
};
