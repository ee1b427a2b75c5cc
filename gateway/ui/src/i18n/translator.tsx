import { createContext, type ReactNode, use, useMemo } from 'react';
import type { uiEn } from './en.ts';
import { fillMessage, type Message, type Translation, type ValuesOf } from './message.ts';

/** Texts of a page by key, in the language that its types are made from. */
export type Catalogue = Readonly<Record<string, Message>>;
type Values<Texts extends Catalogue, Key extends keyof Texts> = ValuesOf<Texts[Key]>;
/** The second argument is there only for messages with braces. */
type Rest<Texts extends Catalogue, Key extends keyof Texts> = keyof Values<Texts, Key> extends never ? [] : [values: Values<Texts, Key>];

export type Language = 'en' | 'de' | 'fr';

/** All texts of a page in one language. */
export type Texts<Messages extends Catalogue = Catalogue, Code extends string = string> = {
  readonly messages: Translation<Messages>;
  readonly errorTexts: Readonly<Record<Code, string>>;
};

export type Translator<Messages extends Catalogue> = {
  /** BCP 47 tag that numbers and dates are formatted for. */
  locale: string;
  t: <Key extends keyof Messages & string>(key: Key, ...values: Rest<Messages, Key>) => string;
  /** A text whose key, and therefore whose values, are known only while the page runs. */
  fill: (key: string, values: Readonly<Record<string, string>>) => string;
  /** The meaning of an error code; undefined for codes without a text of their own. */
  errorText: (code: string) => string | undefined;
  /** The text of a key that is made of a word of the platform; where a newer platform knows more words, `otherwise` or the word itself. */
  word: (prefix: string, word: string, otherwise?: string) => string;
};

export const createTranslator = <Messages extends Catalogue>(
  locale: string,
  { messages, errorTexts }: Texts<Messages>,
): Translator<Messages> => {
  const all: Catalogue = messages;
  return {
    locale,
    t: (key, ...[values]) => fillMessage(all[key] ?? key, values ?? {}, locale),
    fill: (key, values) => fillMessage(all[key] ?? key, values, locale),
    errorText: (code) => (Object.hasOwn(errorTexts, code) ? errorTexts[code] : undefined),
    word: (prefix, word, otherwise = word.replaceAll(/[_-]/g, ' ')) => {
      const found = all[`${prefix}${word}`];
      return typeof found === 'string' ? found : otherwise;
    },
  };
};

const Context = createContext<Translator<Catalogue> | undefined>(undefined);

export const TranslatorProvider = ({ locale, texts, children }: { locale: string; texts: Texts; children: ReactNode }) => {
  const translator = useMemo(() => createTranslator<Catalogue>(locale, texts), [locale, texts]);
  return <Context value={translator}>{children}</Context>;
};

/** The translator of a page whose texts are the ones of the parts, and its own. */
export const useTranslatorOf = <Messages extends typeof uiEn>(): Translator<Messages> => {
  const translator = use(Context);
  if (translator === undefined) throw new Error('there is no TranslatorProvider above');
  // A page has one catalogue, which its texts were checked against.
  return translator as unknown as Translator<Messages>;
};

/** For the parts themselves. */
export const useTranslator = useTranslatorOf<typeof uiEn>;
