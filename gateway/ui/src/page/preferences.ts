import type { Language } from '../i18n/translator.tsx';
import { kept } from './kept.ts';

export type Theme = 'system' | 'light' | 'dark';

const isLanguage = (text: string | undefined): text is Language => text === 'en' || text === 'de';
const isTheme = (text: string | undefined): text is Theme => text === 'light' || text === 'dark' || text === 'system';

const LANGUAGE = 'florin.language';
const THEME = 'florin.theme';

/** The language that was chosen, otherwise the first of the browser's that the app has. */
export const chooseLanguage = (chosen: string | undefined, preferred: readonly string[]): Language =>
  isLanguage(chosen) ? chosen : (preferred.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en');

/** The reader's own variant of a language, for numbers and dates, for example `de-AT`. */
export const localeOf = (language: Language, preferred: readonly string[]): string =>
  preferred.find((tag) => tag.toLowerCase().startsWith(`${language}-`)) ?? (language === 'en' ? 'en-GB' : 'de-DE');

export const readLanguage = (): Language => chooseLanguage(kept.read(LANGUAGE), navigator.languages);
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
