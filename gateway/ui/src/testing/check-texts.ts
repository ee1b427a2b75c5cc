import type { Message } from '../i18n/message.ts';

/** Checks of a page's texts. Each function returns the keys of what is wrong. */
type Texts = Readonly<Record<string, Message>>;

const formsOf = (message: Message): string[] => (typeof message === 'string' ? [message] : Object.values(message));

const valuesOf = (message: Message): string => {
  const names = formsOf(message).flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  return [...new Set(names)].sort().join();
};

/** Messages that only one of two languages has, or that have other values in the other one. */
export const unequalMessages = (one: Texts, other: Texts): string[] =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((key) => {
    const [first, second] = [one[key], other[key]];
    return first === undefined || second === undefined || valuesOf(first) !== valuesOf(second);
  });

/** Messages that are empty, have space around them, or are the same as their key. */
export const emptyMessages = (texts: Texts): string[] =>
  Object.entries(texts)
    .filter(([key, message]) => formsOf(message).some((text) => text.trim() !== text || text === '' || text === key))
    .map(([key]) => key);

/**
 * Messages that no screen uses.
 * @param sources texts of the files that use them: by the whole key, or by its beginning where the rest is known while the page runs
 */
export const unusedMessages = (texts: Texts, sources: readonly string[]): string[] => {
  const source = sources.join('\n');
  const beginnings = [...source.matchAll(/(?:word\('|t\(`)([a-z_]+\.[a-z_]*)/g)].map(([, beginning]) => beginning ?? '');
  return Object.keys(texts).filter((key) => !source.includes(`'${key}'`) && !beginnings.some((beginning) => key.startsWith(beginning)));
};
