/** A text with one form for each plural category that its languages have. */
export type Plural = Readonly<{ one: string; other: string }>;
export type Message = string | Plural;

type NamesIn<S extends string> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type NamesOf<M extends Message> = M extends string ? NamesIn<M> : M extends Plural ? 'count' | NamesIn<M['other']> : never;

/** The values that a message needs, by the names between its braces. */
export type ValuesOf<M extends Message> = { [Name in NamesOf<M>]: Name extends 'count' ? number : string };

/** A translation of a catalogue: a missing, misspelt or superfluous key is a type error. */
export type Translation<Catalogue extends Record<string, Message>> = {
  readonly [Key in keyof Catalogue]: Catalogue[Key] extends string ? string : Plural;
};

/** Fills in a message, and chooses the form for its `count`. */
export const fillMessage = (message: Message, values: Readonly<Record<string, string | number>>, locale: string): string => {
  const count = values['count'];
  const text =
    typeof message === 'string' ? message : message[new Intl.PluralRules(locale).select(Number(count)) === 'one' ? 'one' : 'other'];
  return text.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = values[name];
    return typeof value === 'number' ? new Intl.NumberFormat(locale).format(value) : (value ?? '');
  });
};
