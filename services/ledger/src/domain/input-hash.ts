import { hash } from 'node:crypto';

/** SHA-256 (base64url) of what a caller asked for, field by field: tells a repeat from another request under the same id. */
export const inputHash = (...fields: readonly string[]): string => hash('sha256', JSON.stringify(fields), 'base64url');
