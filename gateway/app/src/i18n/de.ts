import { cardsDe } from './de/cards.ts';
import { declinesDe } from './de/declines.ts';
import { moneyDe } from './de/money.ts';
import { safetyDe } from './de/safety.ts';
import { startDe } from './de/start.ts';
import type { en } from './en.ts';
import type { Translation } from './message.ts';

/** Every text of the app in German. */
export const de: Translation<typeof en> = { ...startDe, ...cardsDe, ...moneyDe, ...safetyDe, ...declinesDe };
