import { z } from 'zod';
import { checkpoint, cursor, event, eventQuery } from '../../schemas/event.ts';

const DEFAULT_LIMIT = 100;

/** Reads a number as JSON would; any other text stays a text and is rejected. */
const readNumber = (text: unknown): unknown => (typeof text === 'string' && /^\d{1,4}$/.test(text) ? Number(text) : text);

/** Which events a reader of pages asks for. */
export const pageQuery = eventQuery.extend({
  limit: z
    .preprocess(readNumber, z.int().min(1).max(500))
    .default(DEFAULT_LIMIT)
    .meta({
      override: { type: 'integer', minimum: 1, maximum: 500, default: DEFAULT_LIMIT },
      description: 'Maximum number of events to return',
    }),
});

/** A page of events. */
export const eventPage = z.object({
  data: z.array(event),
  cursor,
  hasMore: z.boolean().meta({ description: 'True if there were further events after the cursor' }),
  checkpoint,
});
