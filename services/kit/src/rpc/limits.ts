/** connect accepts 4 GiB unless told otherwise. */
export const READ_MAX_BYTES = 1024 * 1024;
export const WRITE_MAX_BYTES = 4 * 1024 * 1024;

/** The longest deadline that a caller may ask for. */
export const MAX_TIMEOUT_MS = 60_000;
