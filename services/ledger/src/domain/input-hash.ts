import { createHash } from 'node:crypto';

/** SHA-256 (base64url) of what a caller asked for, field by field: tells a repeat from another request under the same id. */
export const inputHash = (...fields: readonly string[]): string => createHash('sha256').update(JSON.stringify(fields)).digest('base64url');
