import { ENDPOINT_ID, TIME } from './example.ts';

/** The body of a delivery that tries an endpoint. */
export const testDelivery = {
  id: '01890a5d-ac96-774b-bcce-b302099a8021',
  type: 'webhook.test',
  timestamp: TIME,
  subject: `webhook_endpoint/${ENDPOINT_ID}`,
  sequence: 0,
  previousSequence: 0,
  subjectSequence: 0,
  endpointId: ENDPOINT_ID,
  data: {},
};

/** The body of a delivery that says where the feed ends. */
export const checkpointDelivery = { type: 'checkpoint', timestamp: TIME, sequence: 1042, previousSequence: 1038, endpointId: ENDPOINT_ID };
