import { CARD_ID, OTHER_ID, time } from './fake-records.ts';

/** An event. */
export const happened = {
  id: OTHER_ID,
  type: 'payment.cleared',
  timestamp: time,
  subject: `payment/${CARD_ID}`,
  sequence: 5n,
  previousSequence: 3n,
  subjectSequence: 2n,
  dataJson: '{"status":"settled"}',
};

const page = { events: [happened], cursor: 'acme:7', hasMore: false, checkpoint: { timestamp: time, sequence: 7n, previousSequence: 5n } };

/** The events service's responses. */
export const fakeEvents = {
  listEvents: () => page,
  listUserEvents: () => page,
  watchEvents: async function* () {
    yield page;
  },
};
