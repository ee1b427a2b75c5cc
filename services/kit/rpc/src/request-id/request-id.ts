import { randomUUID } from 'node:crypto';

export const REQUEST_ID_HEADER = 'x-request-id';

const SANE = /^[A-Za-z0-9._:-]{1,128}$/;

/** The caller's request id when it is harmless in a log and a header, else a new one. */
export const requestIdFrom = (value: string | null | undefined): string => (value != null && SANE.test(value) ? value : randomUUID());
