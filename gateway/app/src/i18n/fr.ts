import { uiFr } from '@florin/ui/i18n/fr.ts';
import type { Translation } from '@florin/ui/i18n/message.ts';
import type { en } from './en.ts';
import { cardsFr } from './fr/cards.ts';
import { declinesFr } from './fr/declines.ts';
import { moneyFr } from './fr/money.ts';
import { safetyFr } from './fr/safety.ts';
import { startFr } from './fr/start.ts';

/** Every text of the app in French. */
export const fr: Translation<typeof en> = { ...uiFr, ...startFr, ...cardsFr, ...moneyFr, ...safetyFr, ...declinesFr };
