import { uiEn } from '@florin/ui/i18n/en.ts';
import { cardsEn } from './en/cards.ts';
import { declinesEn } from './en/declines.ts';
import { moneyEn } from './en/money.ts';
import { safetyEn } from './en/safety.ts';
import { startEn } from './en/start.ts';

/** Every text of the app in English; the other languages have the same keys. */
export const en = { ...uiEn, ...startEn, ...cardsEn, ...moneyEn, ...safetyEn, ...declinesEn };
