/** connect accepts 4 GiB unless told otherwise. */
export const READ_MAX_BYTES = 1024 * 1024;
export const WRITE_MAX_BYTES = 4 * 1024 * 1024;

/** Within a data centre bytes are cheaper than the processor: only what is really big is compressed. */
export const COMPRESS_MIN_BYTES = 256 * 1024;

/** The longest deadline that a caller may ask for. */
export const MAX_TIMEOUT_MS = 60_000;
