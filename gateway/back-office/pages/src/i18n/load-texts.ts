import type { Texts } from './i18n.ts';

/** The languages of the back office. */
export const LANGUAGES = ['en', 'de'] as const;

/** Loads the texts of a language; each language is a file of its own, so that nobody loads the others. */
export const loadTexts = async (language: (typeof LANGUAGES)[number]): Promise<Texts> => {
  if (language === 'de') {
    const [{ de }, { errorTextsDe }] = await Promise.all([import('./de.ts'), import('./error-texts-de.ts')]);
    return { messages: de, errorTexts: errorTextsDe };
  }
  const [{ en }, { errorTextsEn }] = await Promise.all([import('./en.ts'), import('./error-texts-en.ts')]);
  return { messages: en, errorTexts: errorTextsEn };
};
