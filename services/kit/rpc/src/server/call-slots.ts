import { CodedError } from '../errors/index.ts';
import { createSlots, type Slots } from '../slots.ts';

/** How many streams may be open at once: of one client, and of all clients together. */
export type StreamLimits = { perClient: number; total: number };

/** Streams of a process. A client that follows each of its challenges by a stream of its own needs thousands. */
export const STREAM_LIMITS: StreamLimits = { perClient: 8192, total: 16_384 };

/** Calls without authorization: of one connection a few health watches and a reflection client. */
const ANONYMOUS_LIMITS = { perConnection: 16, total: 1000 };

const reached = (): Error => new CodedError('STREAM_LIMIT_REACHED', { metadata: { retryAfterSeconds: '10' } });

/** Bounds the streams that are open at a process, by client. */
export const createStreamSlots = ({ perClient, total }: StreamLimits): Slots<string> =>
  createSlots({ perOwner: perClient, total }, reached);

/** Bounds the calls that need no authorization, by connection: anyone who reaches the port can open them and keep them open. */
export const createAnonymousCalls = ({ perConnection, total } = ANONYMOUS_LIMITS): Slots<object> =>
  createSlots({ perOwner: perConnection, total }, reached);
