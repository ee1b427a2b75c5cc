import { uiDe } from '@florin/ui/i18n/de.ts';
import type { Translation } from '@florin/ui/i18n/message.ts';
import { cardsDe } from './de/cards.ts';
import { declinesDe } from './de/declines.ts';
import { moneyDe } from './de/money.ts';
import { safetyDe } from './de/safety.ts';
import { startDe } from './de/start.ts';
import type { en } from './en.ts';

/** Every text of the app in German. */
export const de: Translation<typeof en> = { ...uiDe, ...startDe, ...cardsDe, ...moneyDe, ...safetyDe, ...declinesDe };
