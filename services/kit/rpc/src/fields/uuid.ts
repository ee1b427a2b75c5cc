import { z } from 'zod';

/** A UUID (RFC 9562) in lower case: ids are compared and stored as text, so each has one spelling, however it was typed. */
export const uuidSchema = z.uuid('must be a UUID').toLowerCase();
