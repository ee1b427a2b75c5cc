import { eventOfType } from './event-of-type.ts';
import { type Example, TIME } from './example.ts';

const EVENT = eventOfType('payment.cleared');
const PAGE = {
  data: [EVENT],
  cursor: 'acme:1045',
  hasMore: false,
  checkpoint: { timestamp: TIME, sequence: 1045, previousSequence: 1042 },
};

export const EVENT_EXAMPLES: Readonly<Record<string, Example>> = {
  listEvents: { response: PAGE },
  watchEvents: { response: EVENT },
  listUserEvents: { response: PAGE },
  watchUserEvents: { response: EVENT },
};
