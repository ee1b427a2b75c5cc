import { createContext, type ReactNode, use, useMemo } from 'react';
import type { en } from './en.ts';
import type { errorTextsEn } from './error-texts-en.ts';
import { fillMessage, type Message, type Translation, type ValuesOf } from './message.ts';

type Catalogue = typeof en;
export type MessageKey = keyof Catalogue;
type Values<Key extends MessageKey> = ValuesOf<Catalogue[Key]>;
/** The second argument is there only for messages with braces. */
type Rest<Key extends MessageKey> = keyof Values<Key> extends never ? [] : [values: Values<Key>];

export type Language = 'en' | 'de';

export type Texts = {
  readonly messages: Translation<Catalogue>;
  readonly errorTexts: Readonly<Record<keyof typeof errorTextsEn, string>>;
};

export type Translator = {
  /** BCP 47 tag that numbers and dates are formatted for. */
  locale: string;
  t: <Key extends MessageKey>(key: Key, ...values: Rest<Key>) => string;
  /** A text whose key, and therefore whose values, are known only while the app runs. */
  fill: (key: MessageKey, values: Readonly<Record<string, string>>) => string;
  /** What an error code means; undefined for codes without a text of their own. */
  errorText: (code: string) => string | undefined;
  /** The text of a key that is made of a word of the platform; where a newer platform knows more words, `otherwise` or the word itself. */
  word: (prefix: string, word: string, otherwise?: string) => string;
};

export const createTranslator = (locale: string, { messages, errorTexts }: Texts): Translator => {
  const all: Readonly<Record<string, Message>> = messages;
  const texts: Readonly<Record<string, string>> = errorTexts;
  return {
    locale,
    t: (key, ...[values]) => fillMessage(all[key] ?? key, values ?? {}, locale),
    fill: (key, values) => fillMessage(all[key] ?? key, values, locale),
    errorText: (code) => (Object.hasOwn(texts, code) ? texts[code] : undefined),
    word: (prefix, word, otherwise = word.replaceAll('_', ' ')) => {
      const found = all[`${prefix}${word}`];
      return typeof found === 'string' ? found : otherwise;
    },
  };
};

const Context = createContext<Translator | undefined>(undefined);

export const TranslatorProvider = ({ locale, texts, children }: { locale: string; texts: Texts; children: ReactNode }) => {
  const translator = useMemo(() => createTranslator(locale, texts), [locale, texts]);
  return <Context value={translator}>{children}</Context>;
};

export const useTranslator = (): Translator => {
  const translator = use(Context);
  if (translator === undefined) throw new Error('there is no TranslatorProvider above');
  return translator;
};
