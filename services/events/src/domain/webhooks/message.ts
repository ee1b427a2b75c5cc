import { dataIn } from '../event-data.ts';
import type { PlacedEvent } from '../feed-block.ts';
import { type Endpoint, FIRST_VERSION } from './endpoint.ts';

/** The content of one delivery. */
export type Message = {
  id: string;
  type: string;
  /** Place in the feed; 0 for a test event. */
  sequence: number;
  body: string;
};

/**
 * An event as `GET /events` returns it, and the endpoint that it is for. The platform's key signs for all endpoints, so the signed text has to name one: otherwise who
 * receives a delivery could pass it on to another receiver as that one's own.
 */
export const messageOf = (
  event: PlacedEvent,
  { id: endpointId, dataVersion = FIRST_VERSION }: Pick<Endpoint, 'id' | 'dataVersion'>,
): Message => {
  const { id, type, at, subject, sequence, previousSequence, subjectSequence } = event;
  const envelope = { id, type, timestamp: at.toISOString(), subject, sequence, previousSequence, subjectSequence, endpointId };
  // The data is JSON already.
  return { id, type, sequence, body: `${JSON.stringify(envelope).slice(0, -1)},"data":${dataIn(dataVersion, event)}}` };
};

/** Type of the event by which a partner tries an endpoint. */
const TEST_TYPE = 'webhook.test';

/** An event that is not in the feed: nothing precedes it, and it changes nothing about what the receiver has. */
export const testMessage = (id: string, endpointId: string, at: Date): Message => ({
  id,
  type: TEST_TYPE,
  sequence: 0,
  body: JSON.stringify({
    id,
    type: TEST_TYPE,
    timestamp: at.toISOString(),
    subject: `webhook_endpoint/${endpointId}`,
    sequence: 0,
    previousSequence: 0,
    subjectSequence: 0,
    endpointId,
    data: {},
  }),
});

/** Type of the message that tells a receiver where the feed ends. */
const CHECKPOINT_TYPE = 'checkpoint';

/** The end of a feed as one receiver sees it, as `GET /events` returns it: it shows whether the last events were lost. */
export const checkpointMessage = (
  id: string,
  endpointId: string,
  { sequence, previousSequence, at }: { sequence: number; previousSequence: number; at: Date },
): Message => ({
  id,
  type: CHECKPOINT_TYPE,
  sequence,
  body: JSON.stringify({ type: CHECKPOINT_TYPE, timestamp: at.toISOString(), sequence, previousSequence, endpointId }),
});
