import { randomUUID } from 'node:crypto';

export const REQUEST_ID_HEADER = 'x-request-id';

const SAFE = /^[A-Za-z0-9._:-]{1,128}$/;

/** Returns the caller's request id when it is safe in logs and headers, otherwise a new one. */
export const requestIdFrom = (value: string | null | undefined): string => (value != null && SAFE.test(value) ? value : randomUUID());
