import type { Language } from '@florin/ui/i18n/translator.tsx';
import type { Texts } from './i18n.ts';

/** Loads the texts of a language; each language is a file of its own, so that nobody loads the others. */
export const loadTexts = async (language: Language): Promise<Texts> => {
  if (language === 'de') {
    const [{ de }, { errorTextsDe }] = await Promise.all([import('./de.ts'), import('./error-texts-de.ts')]);
    return { messages: de, errorTexts: errorTextsDe };
  }
  const [{ en }, { errorTextsEn }] = await Promise.all([import('./en.ts'), import('./error-texts-en.ts')]);
  return { messages: en, errorTexts: errorTextsEn };
};
