import { z } from 'zod';

/** A UUID (RFC 9562), converted to lower case: ids are compared and stored as text, so each needs one spelling. */
export const uuidSchema = z.uuid('must be a UUID').toLowerCase();
