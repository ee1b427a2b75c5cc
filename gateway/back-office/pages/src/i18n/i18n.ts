import { type Texts as TextsOf, useTranslatorOf } from '@florin/ui/i18n/translator.tsx';
import type { en } from './en.ts';
import type { errorTextsEn } from './error-texts-en.ts';

type Catalogue = typeof en;
export type Texts = TextsOf<Catalogue, keyof typeof errorTextsEn>;

export const useTranslator = useTranslatorOf<Catalogue>;
