/**
 * True if the same request may be sent again:
 * - `no`: it will be rejected again
 * - `after_remedy`: once the remedy is done, the unchanged request can succeed
 * - `later`: nothing has to be done but to wait; `Retry-After` states how long where it is present
 */
export type Repeat = 'no' | 'after_remedy' | 'later';

/** The meaning of an error code for the developer of an app. */
export type ErrorEntry = { cause: string; remedy: string; repeat: Repeat };
