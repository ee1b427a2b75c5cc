import { ACCOUNT_ID, CARD_ID, type Example, MOVEMENT_ID, TIME, USER_ID } from './example.ts';

const EVENT = {
  id: '01890a5d-ac96-774b-bcce-b302099a8010',
  type: 'payment.cleared',
  timestamp: TIME,
  subject: `payment/${MOVEMENT_ID}`,
  sequence: 1042,
  previousSequence: 1038,
  subjectSequence: 2,
  data: { paymentId: MOVEMENT_ID, cardId: CARD_ID, accountId: ACCOUNT_ID, userId: USER_ID, status: 'settled' },
};

export const EVENT_EXAMPLES: Readonly<Record<string, Example>> = {
  listEvents: {
    response: {
      data: [EVENT],
      cursor: 'acme:1045',
      hasMore: false,
      checkpoint: { timestamp: TIME, sequence: 1045, previousSequence: 1042 },
    },
  },
  watchEvents: { response: EVENT },
};
