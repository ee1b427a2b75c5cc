import type { Language } from '../i18n/translator.tsx';
import { kept } from './kept.ts';

export type Theme = 'system' | 'light' | 'dark';

const isTheme = (text: string | undefined): text is Theme => text === 'light' || text === 'dark' || text === 'system';

const LANGUAGE = 'florin.language';
const THEME = 'florin.theme';

/** The language that was chosen, otherwise the first of the browser's that the page has, otherwise English. */
export const chooseLanguage = <Has extends Language>(
  has: readonly ('en' | Has)[],
  chosen: string | undefined,
  preferred: readonly string[],
): 'en' | Has =>
  [chosen, ...preferred.map((tag) => tag.slice(0, 2).toLowerCase())]
    .map((text) => has.find((language) => language === text))
    .find((language) => language !== undefined) ?? 'en';

/** The variant of a language for readers whose browser names none. */
const VARIANTS: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE', fr: 'fr-FR' };

/** The reader's own variant of a language, for numbers and dates, for example `de-AT`. */
export const localeOf = (language: Language, preferred: readonly string[]): string =>
  preferred.find((tag) => tag.toLowerCase().startsWith(`${language}-`)) ?? VARIANTS[language];

/** @param has the languages of the page */
export const readLanguage = <Has extends Language>(has: readonly ('en' | Has)[]): 'en' | Has =>
  chooseLanguage(has, kept.read(LANGUAGE), navigator.languages);
/** The language that the page is shown in. */
export const shownLanguage = (): Language => document.documentElement.lang as Language;
export const keepLanguage = (language: Language): void => kept.keep(LANGUAGE, language);

export const readTheme = (): Theme => {
  const theme = kept.read(THEME);
  return isTheme(theme) ? theme : 'system';
};

/** Shows the page in the colours of a theme. */
export const showTheme = (theme: Theme): void => {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
};

/** Shows a theme that was chosen, and keeps the choice. */
export const chooseTheme = (theme: Theme): void => {
  showTheme(theme);
  kept.keep(THEME, theme);
};
