import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import type { Language } from '../i18n/translator.tsx';
import { localeOf, readLanguage, readTheme, showTheme } from './preferences.ts';

/**
 * Draws a page into the element `#app`, in the reader's language and colours. React sets texts and properties of elements, never markup, so that a
 * page runs where its policy requires trusted types and permits none.
 * @param languages that the page has
 * @param load is awaited before anything is drawn; gets the language
 * @param draw gets what was loaded, and the tag that numbers and dates are formatted for
 */
export const startPage = async <Loaded, Has extends Language>(
  languages: readonly ('en' | Has)[],
  load: (language: 'en' | Has) => Promise<Loaded>,
  draw: (loaded: Loaded, locale: string) => ReactNode,
): Promise<void> => {
  const root = document.getElementById('app');
  if (root === null) throw new Error('the page has no element #app');
  showTheme(readTheme());
  const language = readLanguage(languages);
  document.documentElement.lang = language;
  const loaded = await load(language);
  createRoot(root).render(<StrictMode>{draw(loaded, localeOf(language, navigator.languages))}</StrictMode>);
};
