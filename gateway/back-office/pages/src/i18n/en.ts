import { uiEn } from '@florin/ui/i18n/en.ts';
import { frameEn } from './en/frame.ts';
import { peopleEn } from './en/people.ts';
import { programEn } from './en/program.ts';
import { queuesEn } from './en/queues.ts';
import { statesEn } from './en/states.ts';

/** Every text of the back office in English; the other languages have the same keys. */
export const en = { ...uiEn, ...frameEn, ...statesEn, ...peopleEn, ...programEn, ...queuesEn };
