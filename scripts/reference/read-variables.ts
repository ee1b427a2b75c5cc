import { readFile } from 'node:fs/promises';
import type { z } from 'zod';

/** A variable of a process's environment, as its configuration declares it. */
export type Variable = {
  name: string;
  /** Text of the declaration's documentation comment. */
  meaning: string;
  /** Markdown: `required`, the default as code, what the comment says of one that depends on other variables, or empty for an optional variable. */
  fallback: string;
};

const DECLARATION = /\/\*\*\s*((?:(?!\*\/)[\s\S])*?)\s*\*\/\s*\n\s*([A-Za-z][A-Za-z0-9_]*):/g;

const toText = (comment: string): string =>
  comment
    .replace(/^\*\s*/, '')
    .replace(/\s*\n\s*\*\s*/g, ' ')
    .trim();

/**
 * Reads the documentation comments of the variables that configuration sources declare.
 * @param sources paths of TypeScript files
 */
export const readComments = async (sources: readonly string[]): Promise<Map<string, string>> => {
  const comments = new Map<string, string>();
  for (const source of sources) {
    for (const [, comment = '', name = ''] of (await readFile(source, 'utf8')).matchAll(DECLARATION)) comments.set(name, toText(comment));
  }
  return comments;
};

/** A longer default of a variable is shown as `built in`; the variable's comment describes it. */
const MAX_DEFAULT_LENGTH = 60;

const describeFallback = (schema: z.ZodType, maxLength: number): string => {
  const unset = schema.safeParse(undefined);
  if (!unset.success) return 'required';
  if (unset.data === undefined) return '';
  const text =
    typeof unset.data === 'string'
      ? unset.data
      : JSON.stringify(unset.data, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
  return text.length > maxLength ? 'built in' : `\`${text}\``;
};

/** The sentence of a comment that says what an absent variable means, where that depends on others. */
const DEFAULT_SENTENCE = /\s*\bDefault: (.+?)\.(?=\s+[A-Z`[]|$)/;

const describe = (comment: string, schema: z.ZodType, maxLength: number): Pick<Variable, 'meaning' | 'fallback'> => {
  const fallback = describeFallback(schema, maxLength);
  const [sentence, stated = ''] = DEFAULT_SENTENCE.exec(comment) ?? [];
  const isStated = fallback === '' || fallback === `\`${stated.replaceAll('`', '')}\`` || stated === 'none';
  if (sentence === undefined || !isStated) return { meaning: comment, fallback };
  return { meaning: comment.replace(sentence, ''), fallback: fallback === '' ? stated : fallback };
};

/**
 * Describes the variables of a configuration shape.
 * @throws Error that names the variables without a comment
 */
export const readVariables = (
  shape: z.ZodRawShape,
  comments: ReadonlyMap<string, string>,
  maxDefaultLength = MAX_DEFAULT_LENGTH,
): Variable[] => {
  const undocumented = Object.keys(shape).filter((name) => !comments.has(name));
  if (undocumented.length > 0) throw new Error(`configuration variables without a documentation comment: ${undocumented.join(', ')}`);
  return Object.entries(shape).map(([name, schema]) => ({
    name,
    ...describe(comments.get(name) ?? '', schema as z.ZodType, maxDefaultLength),
  }));
};
