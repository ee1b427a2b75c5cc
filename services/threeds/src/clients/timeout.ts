/** Deadline of a question to another service, repeats included, in milliseconds. A shopper waits at the other end. */
export const INNER_CALL_TIMEOUT_MS = 3000;
