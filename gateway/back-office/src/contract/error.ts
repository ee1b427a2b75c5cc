import { z } from 'zod';

/**
 * Every error: the gateway's code and a sentence about it, without personal data, and the request's id, which is also in `X-Request-Id` and in the logs.
 * `VALIDATION_FAILED` names the fields in its message. `REASON_REQUIRED`: open an access to the person first. `REAUTHENTICATION_REQUIRED`: confirm with
 * the passkey first (`POST /api/session/step-up`). `details` are facts for which the page has words: of `HALT_NOT_RESOLVABLE`, the block that is expected (`atMostBlock`,
 * `atLeastBlock`), or as far as which the chain has to be final again (`finalBlock`); of `SELF_APPROVAL`,
 * what the two accounts have in common (`tie`: `account`, `mailbox`, `provider`, `passkey`, `invitation`).
 */
export const failure = z.object({
  error: z.string(),
  message: z.string(),
  requestId: z.string(),
  details: z.record(z.string(), z.string()).optional(),
});
export type Failure = z.output<typeof failure>;
