import { z } from 'zod';

/**
 * Every error: the gateway's code and a sentence about it, without personal data, and the request's id, which is also in `X-Request-Id` and in the logs.
 * `VALIDATION_FAILED` names the fields in its message. `REASON_REQUIRED`: open an access to the person first. `REAUTHENTICATION_REQUIRED`: confirm with
 * the passkey first (`POST /api/session/step-up`).
 */
export const failure = z.object({ error: z.string(), message: z.string(), requestId: z.string() });
export type Failure = z.output<typeof failure>;
