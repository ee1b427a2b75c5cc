import { uiDe } from '@florin/ui/i18n/de.ts';
import type { Translation } from '@florin/ui/i18n/message.ts';
import { frameDe } from './de/frame.ts';
import { peopleDe } from './de/people.ts';
import { programDe } from './de/program.ts';
import { queuesDe } from './de/queues.ts';
import { statesDe } from './de/states.ts';
import type { en } from './en.ts';

/** Every text of the back office in German. */
export const de: Translation<typeof en> = { ...uiDe, ...frameDe, ...statesDe, ...peopleDe, ...programDe, ...queuesDe };
