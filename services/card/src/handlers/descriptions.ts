/** Problems of fields, by their paths. */
export type Problems = Record<string, string | undefined>;

/** A text that describes an event, and that networks spell in their own ways. */
export type Description = {
  canonical: (text: string) => string;
  problemOf: (text: string) => string | undefined;
  /** The part of a malformed text that can be used. Default: none. */
  usable?: (text: string) => string;
};

/** Reads texts, without those that are empty, and notes the problems of those that are malformed. */
export const readTexts = <K extends string>(
  texts: { readonly [name in NoInfer<K>]: string },
  table: Readonly<Record<K, readonly [path: string, description: Description]>>,
  problems: Problems,
): { [name in K]?: string } =>
  Object.fromEntries(
    (Object.keys(table) as K[]).flatMap((name) => {
      const [path, { canonical, problemOf, usable = () => '' }] = table[name];
      const text = canonical(texts[name]);
      const problem = text === '' ? undefined : problemOf(text);
      if (problem !== undefined) problems[path] = problem;
      const value = problem === undefined ? text : usable(text);
      return value === '' ? [] : [[name, value]];
    }),
  ) as { [name in K]?: string };
