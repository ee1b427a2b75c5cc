/** Maximum size of a message, sent or received. */
export const READ_MAX_BYTES = 4 * 1024 * 1024;
