/** Maximum size of a received message. Connect's default is 4 GiB. */
export const READ_MAX_BYTES = 1024 * 1024;

/** Maximum size of a sent message. */
export const WRITE_MAX_BYTES = 4 * 1024 * 1024;

/** Minimum size of a compressed message: within a data centre, bandwidth costs less than processor time. */
export const COMPRESS_MIN_BYTES = 256 * 1024;

/** Maximum deadline that a caller may set. */
export const MAX_TIMEOUT_MS = 60_000;

/** Maximum size of a message whose sender is not authenticated. */
export const ANONYMOUS_READ_MAX_BYTES = 16 * 1024;

/** Maximum number of connections of a listener; further ones are closed at once. */
export const MAX_CONNECTIONS = 16_384;
