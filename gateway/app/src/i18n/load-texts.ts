import type { Texts } from './i18n.ts';

/** The languages of the app. */
export const LANGUAGES = ['en', 'de', 'fr'] as const;

/** Loads the texts of a language; each language is a file of its own, so that nobody loads the others. */
export const loadTexts = async (language: (typeof LANGUAGES)[number]): Promise<Texts> => {
  if (language === 'de') {
    const [{ de }, { errorTextsDe }] = await Promise.all([import('./de.ts'), import('./error-texts-de.ts')]);
    return { messages: de, errorTexts: errorTextsDe };
  }
  if (language === 'fr') {
    const [{ fr }, { errorTextsFr }] = await Promise.all([import('./fr.ts'), import('./error-texts-fr.ts')]);
    return { messages: fr, errorTexts: errorTextsFr };
  }
  const [{ en }, { errorTextsEn }] = await Promise.all([import('./en.ts'), import('./error-texts-en.ts')]);
  return { messages: en, errorTexts: errorTextsEn };
};
