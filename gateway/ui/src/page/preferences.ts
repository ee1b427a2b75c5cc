import type { Language } from '../i18n/translator.tsx';

export type Theme = 'system' | 'light' | 'dark';

const isLanguage = (text: string | null | undefined): text is Language => text === 'en' || text === 'de';
const isTheme = (text: string | null): text is Theme => text === 'light' || text === 'dark' || text === 'system';

const LANGUAGE = 'florin.language';
const THEME = 'florin.theme';

/** Reads a preference. A browser that forbids storage has none. */
const read = (name: string): string | null => {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
};

const write = (name: string, value: string): void => {
  try {
    localStorage.setItem(name, value);
  } catch {
    // The choice lasts until the page is left.
  }
};

/** The language that was chosen, otherwise the first of the browser's that the app has. */
export const chooseLanguage = (chosen: string | null, preferred: readonly string[]): Language =>
  isLanguage(chosen) ? chosen : (preferred.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en');

/** The reader's own variant of a language, for numbers and dates, for example `de-AT`. */
export const localeOf = (language: Language, preferred: readonly string[]): string =>
  preferred.find((tag) => tag.toLowerCase().startsWith(`${language}-`)) ?? (language === 'en' ? 'en-GB' : 'de-DE');

export const readLanguage = (): Language => chooseLanguage(read(LANGUAGE), navigator.languages);
export const keepLanguage = (language: Language): void => write(LANGUAGE, language);

export const readTheme = (): Theme => {
  const kept = read(THEME);
  return isTheme(kept) ? kept : 'system';
};

/** Applies a theme to the page, and keeps it. */
export const applyTheme = (theme: Theme): void => {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  write(THEME, theme);
};
